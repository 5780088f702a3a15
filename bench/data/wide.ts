import type { Engine } from '../engine.js';
import { createDrawer } from '../names/draw.js';
import { createRandom, seedOf } from './random.js';

/**
 * Rows for filters of a hundred shapes: ten fields of each kind that a filter can use. They contain no fixed words to replace,
 * because all names are drawn here.
 */
export interface WideNames {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  /** Structs, each with a number by the name `inner`. */
  readonly structs: readonly string[];
  /** Lists of texts. */
  readonly lists: readonly string[];
  /** Lists of structs, each with a text by the name `inner`. */
  readonly groups: readonly string[];
  readonly inner: string;
  /** Values of texts. */
  readonly words: readonly string[];
}

export type WideRow = Readonly<Record<string, unknown>>;

export const fieldCount = 10;

export function drawWideNames(seed: number): WideNames {
  const drawer = createDrawer(seed);
  const names = (): string[] => Array.from({ length: fieldCount }, drawer.name);
  return {
    texts: names(),
    numbers: names(),
    structs: names(),
    lists: names(),
    groups: names(),
    inner: drawer.name(),
    // Interned as a program's literals are: they are the keys of an object.
    words: Object.keys(
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [drawer.word(4 + (index % 6)), index])),
    ),
  };
}

/** Each row comes out of `JSON.parse`, as those of the cases do. All have one shape. */
export function loadWideRows(names: WideNames, size: number): WideRow[] {
  return Array.from(
    { length: size },
    (_, index) => JSON.parse(JSON.stringify(makeRow(names, index))) as WideRow,
  );
}

function makeRow(
  { texts, numbers, structs, lists, groups, inner, words }: WideNames,
  index: number,
): WideRow {
  const random = createRandom(seedOf(41, index));
  const pickSome = (): string[] => words.filter(() => random.chance(0.2));
  return Object.fromEntries([
    ...texts.map((name) => [name, random.pick(words)]),
    ...numbers.map((name) => [name, random.int(10)]),
    ...structs.map((name) => [name, { [inner]: random.int(10) }]),
    ...lists.map((name) => [name, pickSome()]),
    ...groups.map((name) => [name, pickSome().map((word) => ({ [inner]: word }))]),
  ]);
}

export function createWideSchema(
  { defineSchema, t }: Engine,
  { texts, numbers, structs, lists, groups, inner }: WideNames,
): ReturnType<Engine['defineSchema']> {
  return defineSchema(
    Object.fromEntries([
      ...texts.map((name) => [name, t.string]),
      ...numbers.map((name) => [name, t.int]),
      ...structs.map((name) => [name, t.struct({ [inner]: t.int })]),
      ...lists.map((name) => [name, t.list(t.string)]),
      ...groups.map((name) => [name, t.list(t.struct({ [inner]: t.string }))]),
    ]),
  );
}
