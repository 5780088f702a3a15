import { describe, expect, it } from 'vitest';
import {
  block,
  bool,
  checked,
  ConfigError,
  converted,
  decodeConfig,
  duration,
  int,
  labelled,
  list,
  located,
  map,
  required,
  text,
  valueOfTexts,
  valueOfVariable,
  type GivenValue,
  type Reader,
} from '../src/index.js';

const at = { source: 'SOME_VARIABLE', line: 0, column: 0 };

/** The value that a reader makes of texts, or what it says of them. */
function read<T>(reader: Reader<T>, lift: (form: NonNullable<Reader<T>['form']>) => GivenValue): unknown {
  if (reader.form === undefined) return 'files only';
  try {
    const root = { kind: 'object', entries: [{ key: 'it', at, value: lift(reader.form) }], at } as const;
    return decodeConfig(root, { it: reader }).it;
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes.map(({ problem }) => problem);
    throw error;
  }
}

const mapOf = (entries: object): unknown => new Map(Object.entries(entries));
const words = map(text());
const lists = map(list(text(), { single: true }));

describe('strings instead of a file', () => {
  it.each<[what: string, reader: Reader<unknown>, texts: readonly string[], value: unknown]>([
    ['one text', text(), ['a'], 'a'],
    ['the last of several', int(), ['1', '2'], 2],
    ['a switch', bool(), ['true'], true],
    ['a duration', duration(), ['1m'], 60_000_000_000n],
    ['a duration in days', duration({ days: true }), ['2d'], 172_800_000_000_000n],
    ['a list', list(text()), ['a', 'b,c'], ['a', 'b,c']],
    ['a map', words, ['a=1', 'b: 2'], mapOf({ a: '1', b: '2' })],
    ['a map without a value', words, ['a'], mapOf({ a: '' })],
    ['lists', lists, ['a=1', 'a=2', 'b=3'], mapOf({ a: ['1', '2'], b: ['3'] })],
    ['what is made of it', converted(int(), (value) => value + 1), ['1'], 2],
    ['what is checked', checked(text(), (value) => value === 'a', 'expected a'), ['b'], ['expected a']],
    ['what is required', required(list(int())), ['1'], [1]],
    ['what is wrong', int(), ['x'], ['expected a whole number, found "x"']],
    ['no block', block({ a: text() }), ['a'], 'files only'],
    ['no labels', labelled(block({})), ['a'], 'files only'],
    ['no list of maps', list(words), ['a=1'], 'files only'],
    ['no map of maps', map(words), ['a=1'], 'files only'],
  ])('are %s', (_what, reader, texts, value) => {
    expect(read(reader, (form) => valueOfTexts(form, texts, at))).toEqual(value);
  });

  it('keep their place', () => {
    const reader = located(text());
    expect(read(reader, (form) => valueOfTexts(form, ['a'], at))).toEqual({ value: 'a', at });
  });

  it.each<[what: string, reader: Reader<unknown>, variable: string, value: unknown]>([
    ['one text with commas', text(), 'a,b', 'a,b'],
    ['a list', list(text()), 'a, b,,', ['a', 'b']],
    ['a map', words, 'a=1, b=2', mapOf({ a: '1', b: '2' })],
    ['a map in JSON', words, ' {"a": "1,2"}', mapOf({ a: '1,2' })],
    ['lists in JSON', lists, '{"a": ["1", "2"]}', mapOf({ a: ['1', '2'] })],
    ['a list, not JSON', list(text()), '{"a"}', ['{"a"}']],
  ])('of a variable are %s', (_what, reader, variable, value) => {
    expect(read(reader, (form) => valueOfVariable(form, variable, at))).toEqual(value);
  });
});
