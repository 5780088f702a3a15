import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as own from '../../scripts/slim/lodash.js';

// The build's replacement for lodash-es must not differ from it for the arguments that Chevrotain uses.

type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
const slim = own as unknown as Functions;
const requireFrom = createRequire(createRequire(import.meta.url).resolve('chevrotain'));
const lodash = (await import(requireFrom.resolve('lodash-es'))) as Functions;

function call(functions: Functions, name: string, args: readonly unknown[]): unknown {
  const run = functions[name];
  if (run === undefined) throw new Error(`no function ${name}`);
  return run(...args);
}

const list = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('', 'a', 'b')));
const table = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', '1', 'length-of'),
  fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(null, undefined)),
);
const either = fc.oneof(list, table);
const any = fc.oneof(
  either,
  fc.constantFrom(null, undefined, '', 'ab', 0, 1, true, /a/, () => 1, new Map(), Object.create({ a: 1 })),
);
const isBig = (value: unknown): boolean => typeof value === 'number' && value > 2;
const pair = (value: unknown, key: unknown): unknown[] => [value, key];
const sum = (before: unknown, value: unknown, key: unknown): unknown => [before, value, key];
const nested = fc.array(fc.oneof(list, fc.integer()));

const given = (arguments_: fc.Arbitrary<unknown>, ...rest: readonly unknown[]): fc.Arbitrary<unknown[]> =>
  arguments_.map((first) => [first, ...rest]);
const names = fc.constantFrom('a', 'b', 'c', 'toString', 'length');
const small = fc.integer({ min: 0, max: 4 });

const cases: Readonly<Record<string, fc.Arbitrary<unknown[]>>> = {
  assign: fc.tuple(
    table.map((each) => ({ ...each })),
    table,
  ),
  clone: given(either),
  compact: given(list),
  defaults: fc
    .tuple(table, fc.dictionary(fc.constantFrom('a', 'b', 'd'), fc.constantFrom(1, undefined)))
    .map(([all, more]) => [{ ...all }, more]),
  difference: fc.tuple(list, list),
  drop: fc.oneof(given(list), fc.tuple(list, small)),
  dropRight: fc.oneof(given(list), fc.tuple(list, small)),
  every: given(either, isBig),
  filter: given(either, isBig),
  find: given(either, isBig),
  first: given(fc.oneof(list, fc.constant(undefined))),
  flatMap: given(either, pair),
  flatten: given(nested),
  groupBy: given(list, (value: unknown) => typeof value),
  has: fc.tuple(fc.oneof(table, fc.constantFrom(null, undefined, Object.create({ a: 1 }) as unknown)), names),
  identity: given(any),
  includes: fc.tuple(either, small),
  indexOf: fc.tuple(list, small),
  isArray: given(any),
  isEmpty: given(fc.oneof(either, fc.constantFrom(null, undefined, '', 'ab'))),
  isFunction: given(any),
  isObject: given(any),
  isRegExp: given(any),
  isString: given(any),
  isUndefined: given(any),
  keys: given(fc.oneof(either, fc.constant(undefined))),
  last: given(fc.oneof(list, fc.constant(undefined))),
  map: given(fc.oneof(either, fc.constant(undefined)), pair),
  noop: given(any),
  pickBy: given(table, isBig),
  reduce: given(either, sum, 'start'),
  reject: given(either, isBig),
  some: given(either, isBig),
  uniq: given(list),
  values: given(fc.oneof(either, fc.constant(undefined))),
};

describe('the replacement for lodash-es', () => {
  it.each(Object.keys(cases))('%s does what lodash-es does', (name) => {
    const property = fc.property(cases[name] ?? fc.constant([]), (args) => {
      expect(call(slim, name, structuredCloneOf(args))).toEqual(call(lodash, name, structuredCloneOf(args)));
    });
    expect(() => fc.assert(property, { numRuns: 60 })).not.toThrow();
  });

  it('forEach visits the same and ends at the same `false`', () => {
    const seen = (functions: Functions, all: unknown): unknown[] => {
      const visits: unknown[] = [];
      call(functions, 'forEach', [all, (value: unknown, key: unknown) => visits.push([value, key]) < 3]);
      return visits;
    };
    const property = fc.property(fc.oneof(either, fc.constant(undefined)), (all) => {
      expect(seen(slim, all)).toEqual(seen(lodash, all));
    });
    expect(() => fc.assert(property)).not.toThrow();
  });

  it('is compared function by function', () => {
    expect(Object.keys(slim).sort()).toEqual([...Object.keys(cases), 'forEach'].sort());
  });
});

/** So that one that writes into its argument does not help the other. */
function structuredCloneOf(args: readonly unknown[]): unknown[] {
  const isPlain = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return args.map((each) => (isPlain(each) ? { ...each } : each));
}
