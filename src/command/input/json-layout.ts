import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  newline,
  openBrace,
  openBracket,
  quote,
} from './json-byte.js';

/** The bytes of a JSON value on one line: the white space between its tokens goes, all spellings stay. */
export function compactJson(bytes: Uint8Array): Buffer {
  const output = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length;) {
    const end = endOfToken(bytes, at);
    if (!isBlank(bytes[at])) {
      output.set(bytes.subarray(at, end), length);
      length += end - at;
    }
    at = end;
  }
  return output.subarray(0, length);
}

/**
 * The bytes of a JSON value over several lines, indented by two blanks a level, all spellings as they were: integers of
 * any size and `1.0` survive. Nesting indents no further than `maxIndent` levels, so that deep nesting does not grow
 * with the square of its depth.
 */
export function indentJson(bytes: Uint8Array, maxIndent = 100): Buffer {
  const parts: Uint8Array[] = [];
  let depth = 0;
  const breakLine = (): void => void parts.push(lineBreak(Math.min(depth, maxIndent)));
  for (let at = nextToken(bytes, 0); at < bytes.length;) {
    const end = endOfToken(bytes, at);
    const next = nextToken(bytes, end);
    const byte = bytes[at];
    const isEmpty = isOpening(byte) && isClosing(bytes[next]);
    if (isClosing(byte)) {
      depth -= 1;
      breakLine();
    }
    parts.push(bytes.subarray(at, end));
    if (isEmpty) parts.push(bytes.subarray(next, next + 1));
    else if (isOpening(byte)) depth += 1;
    if (byte === comma || (isOpening(byte) && !isEmpty)) breakLine();
    else if (byte === colon) parts.push(blankBytes);
    at = isEmpty ? nextToken(bytes, next + 1) : next;
  }
  return Buffer.concat(parts);
}

const blankBytes = Buffer.from(' ');
const lineBreaks: Buffer[] = [];

function lineBreak(depth: number): Buffer {
  return (lineBreaks[depth] ??= Buffer.from(`\n${'  '.repeat(depth)}`));
}

function nextToken(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at])) at += 1;
  return at;
}

/** The end of the string, number, word, bracket or run of blanks that begins at `start`. */
function endOfToken(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === quote) return endOfString(bytes, start);
  let at = start + 1;
  if (isPunctuation(first)) return at;
  const blank = isBlank(first);
  while (at < bytes.length) {
    const byte = bytes[at];
    if (isPunctuation(byte) || byte === quote || isBlank(byte) !== blank) return at;
    at += 1;
  }
  return at;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;
}

function isOpening(byte: number | undefined): boolean {
  return byte === openBrace || byte === openBracket;
}

function isClosing(byte: number | undefined): boolean {
  return byte === closeBrace || byte === closeBracket;
}

function isPunctuation(byte: number | undefined): boolean {
  return isOpening(byte) || isClosing(byte) || byte === comma || byte === colon;
}
