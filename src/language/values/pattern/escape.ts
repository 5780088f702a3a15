/** Escapes for one code point: `\.`, `\n`, `\07`, `\x41`, `\x{1F600}`. */
import { maxCodePoint } from './code-set.js';
import { type Cursor, errorFrom, isAtEnd, peek, takeCode } from './cursor.js';

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
]);

/**
 * Reads an escape, the cursor on its backslash.
 * @throws PatternError for a letter or digit that means nothing after a backslash, and for a lone backslash.
 */
export function readEscape(cursor: Cursor): number {
  const start = cursor.at;
  cursor.at += 1;
  const code = takeCode(cursor);
  // Go quotes no fragment here.
  if (code === null) throw errorFrom(cursor, cursor.at, 'trailing backslash at end of expression');
  const letter = String.fromCodePoint(code);
  const value = controls.get(letter) ?? readNumber(cursor, letter) ?? (isSymbol(code) ? code : null);
  if (value === null) throw errorFrom(cursor, start, 'invalid escape sequence');
  return value;
}

/** Every ASCII character except letters and digits is literal after a backslash. */
function isSymbol(code: number): boolean {
  return code < 0x80 && !/[0-9A-Za-z]/.test(String.fromCharCode(code));
}

function readNumber(cursor: Cursor, letter: string): number | null {
  if (letter === 'x') return readHex(cursor);
  // One digit other than 0 would be a back-reference, which RE2 does not have.
  if (letter === '0' || (isOctal(letter) && isOctal(peek(cursor)))) return readOctal(cursor, letter);
  return null;
}

function isOctal(digit: string): boolean {
  return digit >= '0' && digit <= '7';
}

/** Reads up to three octal digits; the first is already read. */
function readOctal(cursor: Cursor, first: string): number {
  let digits = first;
  while (digits.length < 3 && isOctal(peek(cursor))) {
    digits += peek(cursor);
    cursor.at += 1;
  }
  return Number.parseInt(digits, 8);
}

/** Reads two hexadecimal digits, or any number of them in braces. Returns null with the cursor after what Go quotes. */
function readHex(cursor: Cursor): number | null {
  if (peek(cursor) === '{') return readBracedHex(cursor);
  if (isAtEnd(cursor)) return null;
  const high = hexDigit(takeCode(cursor));
  const low = hexDigit(takeCode(cursor));
  return high === null || low === null ? null : high * 16 + low;
}

function readBracedHex(cursor: Cursor): number | null {
  cursor.at += 1;
  let value: number | null = null;
  while (!isAtEnd(cursor)) {
    const code = takeCode(cursor);
    if (code === 0x7d) return value;
    const digit = hexDigit(code);
    if (digit === null) return null;
    value = (value ?? 0) * 16 + digit;
    if (value > maxCodePoint) return null;
  }
  return null;
}

function hexDigit(code: number | null): number | null {
  if (code === null || code > 0x7f) return null;
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? null : digit;
}
