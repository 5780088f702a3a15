import { writeJson } from './write-json.js';

/** Number of levels of a value that are written in pieces; deeper levels are written whole. */
const openLevels = 4;
/** Maximum weight of a value that is written whole, which is several times faster. */
const shortWeight = 512;
/** Number of characters of a piece. */
const pieceLength = 4_096;

/**
 * Yields the JSON of a value as {@link writeJson} writes it, in pieces, for values that may be large. A list may be any
 * iterable, whose items are read one by one.
 */
export function* jsonPieces(value: unknown, indent = 0, depth = 0): Generator<string, void, undefined> {
  let text = '';
  for (const part of partsOf(value, indent, depth, depth + openLevels)) {
    text += part;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  yield text;
}

function* partsOf(
  value: unknown,
  indent: number,
  depth: number,
  deepest: number,
): Generator<string, void, undefined> {
  if (typeof value !== 'object' || value === null || depth >= deepest || isShort(value)) {
    yield writeJson(value, indent, depth);
  } else if (Symbol.iterator in value) {
    yield* between('[]', itemsOf(value as Iterable<unknown>), indent, depth, deepest);
  } else {
    yield* between('{}', fieldsOf(value, indent), indent, depth, deepest);
  }
}

function isShort(value: object): boolean {
  return weighed(value, shortWeight) > 0;
}

/** Returns the rest of a size budget after subtracting the size of a value: 0 or less as soon as it is exceeded. */
function weighed(value: unknown, max: number): number {
  if (typeof value === 'string') return max - 1 - value.length / 32;
  if (typeof value !== 'object' || value === null) return max - 1;
  // Other iterables can be read only once.
  if (Symbol.iterator in value && !Array.isArray(value)) return 0;
  let left = max - 1;
  for (const name in value) {
    if (left <= 0) break;
    left = weighed((value as Readonly<Record<string, unknown>>)[name], left - name.length / 32);
  }
  return left;
}

/** Yields the separator before an element, and the element. */
type Entry = readonly [name: string, value: unknown];

function* between(
  [open = '', close = '']: string,
  entries: Iterable<Entry>,
  indent: number,
  depth: number,
  deepest: number,
): Generator<string, void, undefined> {
  const newline = indent === 0 ? '' : `\n${' '.repeat(indent * (depth + 1))}`;
  let isEmpty = true;
  for (const [name, value] of entries) {
    yield `${isEmpty ? open : ','}${newline}${name}`;
    yield* partsOf(value, indent, depth + 1, deepest);
    isEmpty = false;
  }
  if (isEmpty) yield `${open}${close}`;
  else yield `${indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`}${close}`;
}

function* itemsOf(items: Iterable<unknown>): Generator<Entry, void, undefined> {
  for (const item of items) yield ['', item];
}

function* fieldsOf(object: object, indent: number): Generator<Entry, void, undefined> {
  const blank = indent === 0 ? '' : ' ';
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    const value: unknown = (object as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) yield [`${writeJson(name)}:${blank}`, value];
  }
}
