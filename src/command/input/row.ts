import { isUtf8 } from 'node:buffer';
import { renderFrame } from '../../language/diagnostics/snippet.js';
import { positionAt } from '../../language/diagnostics/source.js';
import { parseExactly } from '../../runtime/exact-json.js';
import { findJsonFault } from './json-fault.js';
import { InputError, type RawRow } from './raw-row.js';

/** Maximum size of rows that are safe at any nesting, in bytes. The nesting of larger rows is checked first. */
const alwaysSafeBytes = 64 * 1024;

/** Parses a row: an object or an array, with integers exact to 64 bits. @throws InputError with the position in its file. */
export function readRow(raw: RawRow, maxRowDepth: number): object {
  const size = raw.text?.length ?? raw.bytes.length;
  if (size > alwaysSafeBytes && isDeeper(raw.bytes, maxRowDepth)) throw tooDeep(raw, maxRowDepth);
  if (raw.text === undefined && !isUtf8(raw.bytes)) throw notUtf8(raw);
  const text = raw.text ?? raw.bytes.toString();
  let value: unknown;
  try {
    value = raw.isPlain === true ? JSON.parse(text) : parseExactly(text);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(raw, maxRowDepth);
    throw notJson(raw, text);
  }
  if (typeof value === 'object' && value !== null) return value;
  const kind =
    value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'true or false'
        : `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
  throw new InputError('not-an-object', `a row must be an object, not ${kind}`, placeOf(raw, null), {
    frame: frameOf(text, 0, text.length),
  });
}

/** Reports the first byte that is not valid UTF-8. A silently changed string would be hard to find. */
function notUtf8(raw: RawRow): InputError {
  const at = firstWrongByte(raw.bytes);
  const before = raw.bytes.subarray(0, at).toString();
  const { line, column } = positionAt(before, before.length);
  const byte = (raw.bytes[at] ?? 0).toString(16).padStart(2, '0');
  const place = { row: raw.number, line: raw.line + line - 1, column };
  const hint = 'convert it to UTF-8 first, for example with iconv -f LATIN1 -t UTF-8';
  return new InputError('wrong-encoding', `the byte 0x${byte} is not UTF-8`, place, { hint });
}

/** Returns the index of the first byte that is not valid UTF-8. */
function firstWrongByte(bytes: Buffer): number {
  const back = Buffer.from(bytes.toString());
  return bytes.findIndex((byte, at) => byte !== back[at]);
}

function tooDeep(raw: RawRow, maxRowDepth: number): InputError {
  return new InputError('too-deep', `the row is nested more than ${maxRowDepth} deep`, placeOf(raw, null));
}

function notJson(raw: RawRow, text: string): InputError {
  const fault = findJsonFault(text);
  if (fault === null) return new InputError('not-json', 'the row is not JSON', placeOf(raw, null));
  const { line, column } = positionAt(text, fault.start);
  return new InputError(
    'not-json',
    fault.message,
    { row: raw.number, line: raw.line + line - 1, column },
    { frame: frameOf(text, fault.start, fault.end), hint: fault.hint },
  );
}

function placeOf(raw: RawRow, column: number | null): InputError['place'] {
  return { row: raw.number, line: raw.line, column };
}

/** Returns the caret frame without its line number, which would be relative to the row. */
function frameOf(text: string, start: number, end: number): string {
  return renderFrame(text, { start, end }, '').replace(/^ *\d* \| ?/gm, '  ');
}

const quote = 0x22;
const backslash = 0x5c;

/** Whether brackets are nested deeper than `max`. */
function isDeeper(bytes: Uint8Array, max: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) inString = !inString;
    else if (inString) {
      if (byte === backslash) at += 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > max) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return false;
}
