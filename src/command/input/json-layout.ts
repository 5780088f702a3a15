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

/** Returns a JSON value on one line, without white space between tokens. Spellings are unchanged. */
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
 * Returns a JSON value on several lines, indented by two spaces per level. Spellings are unchanged, so that integers of any size
 * and `1.0` are preserved. Indentation stops at `maxIndent` levels, so that the output of deep nesting does not grow
 * quadratically.
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

/** The selected values of an object or a list: by key, the numbers of the paths that end there and the tree of longer paths. */
interface PathTree {
  readonly ends: number[];
  readonly children: Map<string, PathTree>;
}

/**
 * Returns a function that finds the values at paths of valid JSON in one pass: their original bytes, or null. The last of several
 * equal keys counts, as for `JSON.parse`.
 */
export function createPathReader(
  paths: readonly (readonly string[])[],
): (bytes: Uint8Array) => (Uint8Array | null)[] {
  const root: PathTree = { ends: [], children: new Map() };
  for (const [number, path] of paths.entries()) {
    let node = root;
    for (const key of path) {
      const next = node.children.get(key) ?? { ends: [], children: new Map() };
      node.children.set(key, next);
      node = next;
    }
    node.ends.push(number);
  }
  return (bytes) => {
    const found = paths.map((): Uint8Array | null => null);
    readChildren(bytes, nextToken(bytes, 0), root, found);
    return found;
  };
}

function readChildren(
  bytes: Uint8Array,
  open: number,
  { children }: PathTree,
  found: (Uint8Array | null)[],
): void {
  if (children.size === 0 || !isOpening(bytes[open])) return;
  const isList = bytes[open] === openBracket;
  let at = nextToken(bytes, open + 1);
  for (let index = 0; at < bytes.length && !isClosing(bytes[at]); index += 1) {
    let key = String(index);
    if (!isList) {
      const end = endOfString(bytes, at);
      key = readKey(bytes.subarray(at, end));
      at = nextToken(bytes, nextToken(bytes, end) + 1);
    }
    const end = endOfValue(bytes, at);
    const child = children.get(key);
    if (child !== undefined) {
      clearMatches(child, found);
      for (const number of child.ends) found[number] = bytes.subarray(at, end);
      readChildren(bytes, at, child, found);
    }
    at = nextToken(bytes, end);
    if (bytes[at] === comma) at = nextToken(bytes, at + 1);
  }
}

/** Removes the matches of an earlier equal key, which is ignored. */
function clearMatches({ ends, children }: PathTree, found: (Uint8Array | null)[]): void {
  for (const number of ends) found[number] = null;
  for (const child of children.values()) clearMatches(child, found);
}

function readKey(written: Uint8Array): string {
  const text = Buffer.from(written.buffer, written.byteOffset, written.length).toString();
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const byte = bytes[at];
    depth += isOpening(byte) ? 1 : isClosing(byte) ? -1 : 0;
    at = endOfToken(bytes, at);
  } while (depth > 0 && at < bytes.length);
  return at;
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

/** Returns the end of the string, number, word, bracket or run of blanks that begins at `start`. */
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
