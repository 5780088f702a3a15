import type { LogRecord } from './log-record.js';

/** Formats a record as one line, without the line feed. */
export type LogFormat = (record: LogRecord) => string;

/** Formats `2026-01-02T15:04:05.000Z [INFO] http: message: key=value key="quoted value"`, with levels of equal width. */
export const formatText: LogFormat = ({ time, level, caller, module, message, fields }) => {
  const mark = `[${level.toUpperCase()}]`.padEnd(7);
  const place = caller === '' ? '' : `${caller}: `;
  const speaker = module === '' ? '' : `${module}: `;
  const pairs = fields.map(([name, value]) => ` ${name}=${quote(plain(value))}`).join('');
  const line = `${oneLine(message)}${pairs === '' ? '' : `:${pairs}`}`;
  return `${new Date(time).toISOString()} ${mark} ${place}${speaker}${line}`;
};

/** Formats a record as a JSON object: `@level`, `@message`, `@module`, `@timestamp`, `@caller` if known, then the fields. */
export const formatJson: LogFormat = ({ time, level, caller, module, message, fields }) =>
  JSON.stringify({
    '@level': level,
    '@message': message,
    ...(module === '' ? {} : { '@module': module }),
    '@timestamp': new Date(time).toISOString().replace('Z', '000Z'),
    ...(caller === '' ? {} : { '@caller': caller }),
    ...Object.fromEntries(fields),
  });

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Quotes strings with blanks, quotes and control characters, which could be taken for another field or line. */
function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  return text === '' || /[\s"=\u0000-\u001f\u007f]/.test(text) ? JSON.stringify(text) : text;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
