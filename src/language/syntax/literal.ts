/** The meaning of a literal: its string, and whether its bytes were UTF-8 (as in the syntax tree's values). */
export interface Decoded {
  readonly text: string;
  readonly wellFormed: boolean;
}

/** The reason and offset of an error in a double-quoted literal; the offset is relative to the start of its body. */
export interface Flaw {
  readonly reason: 'newline' | 'escape';
  readonly start: number;
  readonly end: number;
}

type Escape = { readonly end: number } & ({ readonly text: string } | { readonly byte: number });

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
]);

/** Number of hexadecimal digits after the letters of a byte (`x`) or code point (`u`, `U`) escape. */
const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/**
 * Decodes the body of a double-quoted literal (the part between the quotes) as Go's `strconv.Unquote` does: no raw newline, Go's
 * escapes only, and `\xHH` and `\OOO` are bytes that must form UTF-8 together with their neighbours.
 */
export function unquote(body: string): Decoded | Flaw {
  const newline = body.indexOf('\n');
  if (newline !== -1) return { reason: 'newline', start: newline, end: newline + 1 };
  if (!body.includes('\\')) return { text: body, wellFormed: true };

  let text = '';
  let wellFormed = true;
  let bytes: number[] = [];
  const append = (piece: string): void => {
    if (bytes.length > 0) {
      const decoded = decodeUtf8(bytes);
      text += decoded.text;
      wellFormed &&= decoded.wellFormed;
      bytes = [];
    }
    text += piece;
  };
  for (let at = 0; at < body.length;) {
    if (body[at] !== '\\') {
      const slash = body.indexOf('\\', at);
      const end = slash === -1 ? body.length : slash;
      append(body.slice(at, end));
      at = end;
      continue;
    }
    const escape = readEscape(body, at);
    if (escape === null) return { reason: 'escape', start: at, end: Math.min(at + 2, body.length) };
    if ('byte' in escape) bytes.push(escape.byte);
    else append(escape.text);
    at = escape.end;
  }
  append('');
  return { text, wellFormed };
}

/** Returns the escape whose backslash is at `at`; null if Go has no such escape. */
function readEscape(body: string, at: number): Escape | null {
  const letter = body.charAt(at + 1);
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { end: at + 2, text: simple };
  const digits = hexDigits.get(letter);
  if (digits === undefined) return readOctal(body, at);
  const end = at + 2 + digits;
  const written = body.slice(at + 2, end);
  if (written.length < digits || !/^[0-9a-fA-F]+$/.test(written)) return null;
  const number = Number.parseInt(written, 16);
  if (letter === 'x') return { end, byte: number };
  const isScalar = number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff);
  return isScalar ? { end, text: String.fromCodePoint(number) } : null;
}

/** Reads exactly three octal digits, at most `\377`. */
function readOctal(body: string, at: number): Escape | null {
  const written = body.slice(at + 1, at + 4);
  return /^[0-3][0-7]{2}$/.test(written) ? { end: at + 4, byte: Number.parseInt(written, 8) } : null;
}

/** Decodes UTF-8 like Go: each byte outside of a shortest, valid sequence becomes one U+FFFD. */
function decodeUtf8(bytes: readonly number[]): Decoded {
  let text = '';
  let wellFormed = true;
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      text += '\ufffd';
      wellFormed = false;
      at += 1;
      continue;
    }
    let point = length === 1 ? byteAt(bytes, at) : byteAt(bytes, at) & (0xff >> (length + 1));
    for (let next = 1; next < length; next += 1) point = (point << 6) | (byteAt(bytes, at + next) & 0x3f);
    text += String.fromCodePoint(point);
    at += length;
  }
  return { text, wellFormed };
}

/** Returns the length of the valid UTF-8 sequence at `at`, or 0 (Unicode, table 3-7). */
function sequenceLength(bytes: readonly number[], at: number): number {
  const first = byteAt(bytes, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const second = byteAt(bytes, at + 1);
  if (second < low || second > high) return 0;
  for (let next = 2; next < length; next += 1) {
    if ((byteAt(bytes, at + next) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

function byteAt(bytes: readonly number[], at: number): number {
  return bytes[at] ?? 0;
}

/** Returns the body of a backtick literal: raw, except for carriage returns, which Go drops. */
export function unquoteRaw(body: string): string {
  return body.includes('\r') ? body.replaceAll('\r', '') : body;
}

/** Matches names that need no quotes. */
const plainName = /^[a-zA-Z][a-zA-Z0-9_/]*$/;

export function isPlainName(text: string): boolean {
  return plainName.test(text);
}

/** Returns a name for the elements of a list that is not the name of the list. */
export function elementName([list]: readonly string[]): string {
  return list === 'x' ? 'y' : 'x';
}

/** Matches names that need no brackets in a selector. */
const fieldName = /^(?:[a-zA-Z]|_(?!$))[a-zA-Z0-9_/]*$/;

/** Whether a selector can begin with the name without brackets. Level 0 has no names that begin with an underscore. */
export function isFieldName(text: string): boolean {
  return fieldName.test(text);
}

const outsidePointer = /[^\p{L}\p{N}\-_.~:|/]/u;

/**
 * Whether the body of a double-quoted literal is a JSON pointer: empty, or non-empty segments that each begin with a slash. The
 * rule is go-bexpr's, narrower than RFC 6901: letters, numbers and `-_.~:|` only. For recent scripts, letters depend on the
 * Unicode version of the JavaScript engine.
 */
export function isPointer(body: string): boolean {
  if (body === '') return true;
  if (!body.startsWith('/') || body.endsWith('/')) return false;
  return !body.includes('//') && !outsidePointer.test(body);
}

/**
 * Returns the segments of a pointer with `~1` and `~0` decoded. The empty pointer is a single empty key, not the whole object.
 */
export function pointerSegments(body: string): string[] {
  if (body === '') return [''];
  const segments = body.slice(1).split('/');
  return body.includes('~') ? segments.map(decodeSegment) : segments;
}

function decodeSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the body of the pointer to a path: the inverse of {@link pointerSegments}; null if no pointer has this path. */
export function pointerTo(path: readonly string[]): string | null {
  if (path.length === 1 && path[0] === '') return '';
  const body = path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return path.length > 0 && isPointer(body) ? body : null;
}

/** Matches numbers like go-bexpr. */
const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

export function isNumber(text: string): boolean {
  return number.test(text);
}

const typed = /^[0-9][0-9A-Za-z_.:/+-]*$/;

/** Whether a string begins with a digit and needs no quotes, but is not a number: `7d`, `2026-11-01`, `10.0.0.0/8`. */
export function isTyped(text: string): boolean {
  return typed.test(text) && !number.test(text);
}

const clock = /^now [+-] [0-9][0-9A-Za-z_.:/+-]*$/;

/** Whether a string is the clock or an offset from it in canonical form: `now - 7d`. */
export function isClock(text: string): boolean {
  return clock.test(text);
}
