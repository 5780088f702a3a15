// Matches a decimal number of HCL 2.

const decimals = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Returns a number of HCL 2, which is always decimal, in its shortest form without an exponent; null for any other text. */
export function decimalOf(written: string): string | null {
  const parts = decimals.exec(written);
  // Prevents a short number from becoming a very long string.
  if (parts === null || Math.abs(Number(parts[4] ?? 0)) > 400) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const point = whole.length + Number(exponent);
  const digits = '0'.repeat(Math.max(0, -point)) + (whole + fraction).padEnd(point, '0');
  const at = Math.max(0, point);
  const integer = digits.slice(0, at).replace(/^0+/, '') || '0';
  const rest = digits.slice(at).replace(/0+$/, '');
  return `${integer === '0' && rest === '' ? '' : sign}${integer}${rest === '' ? '' : `.${rest}`}`;
}

const part = /[\p{L}\p{Nd}_-]+/u.source;
const path = new RegExp(
  String.raw`^(?!(?:var|local|each|data|path)\b(?!-))[\p{L}_][\p{L}\p{Nd}_-]*(?:\.${part}|\["[^"]*"\]|\[\d+\])*$`,
  'u',
);
const root = /^(?:(?:attr|node|meta|env|device)[.[]|(?:NOMAD|SCHEDULER)_)/;

/** Returns a bare reference, such as `attr.kernel.name`, as its text; null for any other expression. */
export function referenceOf(written: string): string | null {
  return path.test(written) && root.test(written) ? `\${${written}}` : null;
}

const quoted = /^"(?:[^"\\$%]|\\["\\nrt])*"$/;

/** Returns the string for the content of an interpolation; null if it would need to be evaluated. */
export function interpolated(written: string): string | null {
  if (written === 'true' || written === 'false') return written;
  if (quoted.test(written)) return JSON.parse(written.replaceAll('\t', '\\t')) as string;
  return decimalOf(written) ?? (path.test(written) ? `\${${written}}` : null);
}
