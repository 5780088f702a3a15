import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileFilter,
  FilterCheckError,
  FilterLimitError,
  parseSchema,
  print,
  type Filter,
  type Schema,
} from '../../src/index.js';
import { createFilterSet, type FilterFailure, type FilterSetMatch } from '../../src/entries/filter-set.js';
import { expressionArbitrary, sampleTexts } from '../support/arbitraries.js';
import type { OracleSchema, OracleType } from '../support/oracle-value.js';
import { looseRowArbitrary, rowArbitrary } from '../support/row-arbitraries.js';
import { schemaArbitrary } from '../support/shapes.js';
import { scaled } from '../support/property-runs.js';

/** Fields that every schema here has in addition to its own. */
const fixed: Readonly<Record<string, OracleType>> = {
  text: { kind: 'string' },
  whole: { kind: 'int' },
  count: { kind: 'uint' },
  ratio: { kind: 'float64' },
  flag: { kind: 'bool' },
  at: { kind: 'time' },
  texts: { kind: 'list', of: { kind: 'string' } },
  wholes: { kind: 'list', of: { kind: 'int' } },
  map: { kind: 'map', of: { kind: 'string' } },
  maybe: { kind: 'struct', name: 'Maybe', nullable: true },
  nullable: { kind: 'string', nullable: true },
  maybeWhole: { kind: 'int', nullable: true },
  maybeTexts: { kind: 'list', of: { kind: 'string' }, nullable: true },
};

const shapes = schemaArbitrary.map((shape): OracleSchema => {
  const fields = { ...shape.structs[shape.root]?.fields, ...fixed };
  const maybe = { fields: { k: { kind: 'string' } } } as const;
  return { ...shape, structs: { ...shape.structs, [shape.root]: { fields }, Maybe: maybe } };
});

const texts = fc.constantFrom(...sampleTexts, 'we', 'x'.repeat(300)).map((text) => JSON.stringify(text));
const numbers = fc.constantFrom('0', '1', '5', '"0x10"', '9007199254740993', '-5', '"9223372036854775807"');
const times = fc.constantFrom('2026-11-01', '2026-11-01T00:00:00Z', 'now', 'now - 1d', '"2026-11-02"');
const clause = fc.oneof(
  texts.map((text) => `text == ${text}`),
  fc.tuple(texts, texts).map((list) => `text in [${list.join()}]`),
  texts.map((text) => `text starts with ${text}`),
  fc.tuple(texts, texts).map(([one, other]) => `text > ${one} and text <= ${other}`),
  texts.map((text) => `text == ${text}i`),
  numbers.filter((number) => number !== '-5').map((number) => `count == ${number}`),
  numbers.map((number) => `whole == ${number}`),
  fc.tuple(numbers, numbers).map(([one, other]) => `whole >= ${one} and whole < ${other}`),
  fc.tuple(numbers, numbers).map((list) => `whole in [${list.join()}]`),
  fc.constantFrom('ratio == 0.5', 'ratio > 1', 'ratio <= 5', 'ratio in [1, 1.5]', 'ratio != 1'),
  fc.constantFrom('flag == true', 'flag == f', 'not flag == true'),
  times.map((time) => `at > ${time}`),
  times.map((time) => `at <= ${time}`),
  texts.map((text) => `${text} in texts`),
  numbers.map((number) => `wholes contains ${number}`),
  texts.map((text) => `nullable == ${text}`),
  texts.map((text) => `${text} in maybeTexts`),
  numbers.map((number) => `maybeWhole == ${number}`),
  numbers.map((number) => `maybeWhole >= ${number}`),
  fc.constantFrom(
    'nullable is nil',
    'nullable is not nil and nullable == a',
    'nullable in ["a", "web"]',
    'nullable != a',
    'nullable starts with "w"',
    'nullable matches "^a"',
    'maybeTexts is empty',
  ),
  fc.constantFrom(
    'map.k == a',
    'text != web',
    'texts is not empty',
    'any texts as x { x == a }',
    'len(text) > 2',
  ),
  fc.constantFrom(
    'maybe is not nil',
    'texts.0 == a',
    'maybe.k == x',
    'text matches "^a"',
    'text contains "eb"',
  ),
);

function filterArbitrary(shape: OracleSchema): fc.Arbitrary<string> {
  const oneOf = fc
    .array(clause, { minLength: 2, maxLength: 3 })
    .map((tests) => tests.map(enclose).join(' or '));
  const other = expressionArbitrary(shape, 1).map(print);
  const operand = fc.oneof(
    { weight: 6, arbitrary: clause },
    { weight: 2, arbitrary: oneOf },
    { weight: 1, arbitrary: other },
  );
  return fc
    .array(operand, { minLength: 1, maxLength: 3 })
    .map((operands) => operands.map(enclose).join(' and '));
}

function enclose(text: string): string {
  return `(${text})`;
}

/** The fixed fields from few values, so that filters hold for many rows; now and then absent, null or odd. */
const fixedArbitrary = fc.record(
  {
    text: fc.constantFrom('', 'a', 'web', 'we', 'x'.repeat(300), null, 5),
    whole: fc.constantFrom(0, 1, -5, 16n, null, 1.5, 'x'),
    count: fc.constantFrom(0, 5, 9007199254740993n, -1),
    ratio: fc.constantFrom<unknown>(0.5, 1, 1n, NaN, 5, null, '1'),
    flag: fc.constantFrom(true, false, null, 'true'),
    at: fc.constantFrom('2026-11-01T00:00:00Z', '2026-11-03T00:00:00Z', 'soon', null, new Date(0)),
    texts: fc.oneof(
      fc.array(fc.constantFrom('', 'a', 'web', null), { maxLength: 3 }),
      fc.constantFrom<unknown>('a', 7, new Set(['a']), new Array(256).fill('b'), new Array(3_000).fill('a')),
    ),
    wholes: fc.array(fc.constantFrom(0, 1, 16, 16n, null, '1'), { maxLength: 3 }),
    map: fc.constantFrom<unknown>({}, { k: 'a' }, { k: 5 }, null, 'k', new Map([['k', 'a']])),
    maybe: fc.constantFrom(null, { k: 'x' }),
    nullable: fc.constantFrom<unknown>('a', null, 'web', 5),
    maybeWhole: fc.constantFrom<unknown>(0, 1, null, '1'),
    maybeTexts: fc.constantFrom<unknown>(
      null,
      [],
      ['a'],
      ['web', 'a'],
      [null],
      new Array(300).fill('a'),
      'a',
    ),
  },
  { requiredKeys: [] },
);

const throwing = {
  get text(): string {
    throw new Error('out of reach');
  },
};

function rowsArbitrary(shape: OracleSchema): fc.Arbitrary<unknown> {
  const row = fc
    .tuple(fc.oneof(rowArbitrary(shape), looseRowArbitrary(shape)), fixedArbitrary)
    .map(([whole, more]) => ({ ...(whole as object | null), ...more }));
  const odd = fc.constantFrom<unknown>(null, undefined, 5, 'text', [], new Map([['text', 'a']]), throwing);
  return fc.oneof({ weight: 12, arbitrary: row }, { weight: 1, arbitrary: odd });
}

type Step =
  | { readonly kind: 'add'; readonly id: string; readonly filter: string }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'match'; readonly row: unknown; readonly millis: number };

function stepsArbitrary(shape: OracleSchema): fc.Arbitrary<readonly Step[]> {
  const id = fc.nat(20).map((number) => `f${number}`);
  const add = fc.record({ kind: fc.constant('add' as const), id, filter: filterArbitrary(shape) });
  const remove = fc.record({ kind: fc.constant('remove' as const), id });
  const millis = fc.constantFrom(Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 4));
  const match = fc.record({ kind: fc.constant('match' as const), row: rowsArbitrary(shape), millis });
  return fc.array(
    fc.oneof(
      { weight: 5, arbitrary: add },
      { weight: 1, arbitrary: remove },
      { weight: 5, arbitrary: match },
    ),
    { minLength: 1, maxLength: 40 },
  );
}

const cases = shapes.chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    steps: stepsArbitrary(shape),
    unresolved: fc.constantFrom('error' as const, 'absent' as const),
    maxSteps: fc.constantFrom(100_000, 40),
  }),
);

/** Ids that hold and errors as texts, in order. */
interface Result {
  readonly ids: readonly string[];
  readonly errors: readonly string[];
}

function resultOf({ ids, errors }: Pick<FilterSetMatch, 'ids' | 'errors'>): Result {
  return { ids: [...ids].sort(), errors: errors.map(describeFailure).sort() };
}

function describeFailure({ id, error }: FilterFailure): string {
  return `${id}: ${String(error)}`;
}

function evaluateOneByOne(filters: ReadonlyMap<string, Filter>, row: unknown, now: Date): Result {
  const ids: string[] = [];
  const errors: FilterFailure[] = [];
  for (const [id, filter] of filters) {
    try {
      if (filter.at(now).test(row)) ids.push(id);
    } catch (error) {
      errors.push({ id, error });
    }
  }
  return resultOf({ ids, errors });
}

function compile(text: string, options: object & { schema: Schema }): Filter | null {
  try {
    return compileFilter(text, options);
  } catch (error) {
    if (error instanceof FilterCheckError || error instanceof FilterLimitError) return null;
    throw error;
  }
}

describe('a set of filters', () => {
  it('returns the same as its filters one by one, after any additions and removals', () => {
    const seen = { blocked: 0, failing: 0, passedOver: 0, always: 0 };
    fc.assert(
      fc.property(cases, ({ shape, steps, unresolved, maxSteps }) => {
        const schema = parseSchema(shape);
        const options = { unresolved, limits: { maxSteps, maxSearchedText: 2_000 } };
        const set = createFilterSet(schema, options);
        const filters = new Map<string, Filter>();
        let last: unknown;
        for (const step of steps) {
          if (step.kind === 'add') {
            const filter = compile(step.filter, { ...options, schema });
            if (filter === null) {
              expect(() => {
                set.add(step.id, step.filter);
              }).toThrow();
              continue;
            }
            filters.set(step.id, filter);
            set.add(step.id, step.filter);
          } else if (step.kind === 'remove') {
            expect(set.remove(step.id)).toBe(filters.delete(step.id));
          } else {
            const now = new Date(step.millis);
            const expected = evaluateOneByOne(filters, step.row, now);
            const found = set.match(step.row, { now });
            const note = (): string => inspect({ row: step.row, filters: sourcesOf(filters) }, { depth: 12 });
            expect(resultOf(found), note()).toEqual(expected);
            const parts = [...set.matchInParts(step.row, 2, { now })];
            expect(resultOf(joined(parts)), note()).toEqual(expected);
            seen.blocked += found.ids.length;
            seen.failing += found.errors.length;
            seen.passedOver += set.stats().distinct - found.candidates;
            seen.always += set.stats().always;
            // Undefined means no row there.
            if (last !== undefined && step.row !== undefined) {
              const { entered, left, changed } = set.matchChange(last, step.row, { now });
              const before = evaluateOneByOne(filters, last, now).ids;
              expect([...entered].sort()).toEqual(expected.ids.filter((id) => !before.includes(id)));
              expect([...left].sort()).toEqual(before.filter((id) => !expected.ids.includes(id)));
              expect([...changed].sort()).toEqual(before.filter((id) => expected.ids.includes(id)));
            }
            last = step.row;
          }
          expect(set.size).toBe(filters.size);
        }
        expect(set.stats()).toMatchObject({
          filters: filters.size,
          distinct: new Set(sourcesOf(filters)).size,
          totalLength: [...new Set(sourcesOf(filters))].join('').length,
        });
        for (const id of filters.keys()) set.remove(id);
        expect(set.stats()).toMatchObject({
          filters: 0,
          distinct: 0,
          always: 0,
          totalLength: 0,
          indexes: [],
        });
      }),
      { numRuns: 400 },
    );
    expect(seen.blocked).toBeGreaterThan(scaled(40));
    expect(seen.failing).toBeGreaterThan(scaled(40));
    expect(seen.passedOver).toBeGreaterThan(scaled(100));
    expect(seen.always).toBeGreaterThan(scaled(20));
  });
});

function sourcesOf(filters: ReadonlyMap<string, Filter>): string[] {
  return [...filters.values()].map(({ source }) => source);
}

function joined(parts: readonly FilterSetMatch[]): Pick<FilterSetMatch, 'ids' | 'errors'> {
  return { ids: parts.flatMap(({ ids }) => ids), errors: parts.flatMap(({ errors }) => errors) };
}
