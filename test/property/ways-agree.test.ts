import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWhole } from '../../src/filter/filter.js';
import { defineSchema, FilterError, t, type Filter, type FilterOptions } from '../../src/index.js';
import { eager } from '../specialise/eager.js';
import { anyRowArbitrary, fieldName, type MakeRow } from '../support/odd-rows.js';
import { scaled } from '../support/property-runs.js';

const group = t.struct({ name: t.string, k: t.int, tags: t.list(t.string) });
const schema = defineSchema({
  s: t.string,
  n: t.int,
  f: t.bool,
  tags: t.list(t.string),
  meta: t.map(t.string),
  inner: t.struct({
    name: t.string,
    length: t.int,
    s: t.string,
    tags: t.list(t.string),
    meta: t.map(t.string),
  }),
  groups: t.list(group),
  name: t.string,
  size: t.int,
  length: t.int,
  source: t.any,
  k: t.nullable(t.string),
});

const path = fc.oneof(
  { weight: 3, arbitrary: fieldName },
  { weight: 2, arbitrary: fc.tuple(fieldName, fieldName).map((parts) => parts.join('.')) },
  { weight: 1, arbitrary: fc.tuple(fieldName, fieldName, fieldName).map((parts) => parts.join('.')) },
  { weight: 1, arbitrary: fc.constantFrom('tags.0', 'inner.tags.1', 'groups.0.name', 'x', 'x.name', 'x.k') },
);
const literal = fc.constantFrom(
  '""',
  'a',
  'web',
  '5',
  'true',
  '0',
  '1.5',
  '"9007199254740993"',
  `"${'x'.repeat(255)}"`,
);
const pattern = fc.constantFrom('"^a"', '"^web$"', '"b"', '"(ab)+$"', '"."', '"^$"');
const match = fc.oneof(
  fc.tuple(path, fc.constantFrom('==', '!='), literal).map((parts) => parts.join(' ')),
  fc.tuple(literal, fc.constantFrom('in', 'not in'), path).map((parts) => parts.join(' ')),
  fc.tuple(path, fc.constantFrom('matches', 'not matches'), pattern).map((parts) => parts.join(' ')),
  fc.tuple(path, fc.constantFrom('is empty', 'is not empty', 'is nil')).map((parts) => parts.join(' ')),
  fc
    .tuple(
      path,
      fc.constantFrom([' or ', '=='] as const, [' and ', '!='] as const),
      fc.array(literal, { minLength: 2, maxLength: 3 }),
    )
    .map(([of, [join, operator], all]) => `(${all.map((one) => `${of} ${operator} ${one}`).join(join)})`),
);
const filterText = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: match },
    { weight: 2, arbitrary: fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} and ${b})`) },
    { weight: 2, arbitrary: fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} or ${b})`) },
    { weight: 1, arbitrary: tie('filter').map((one) => `not (${one})`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('any', 'all'), path, fc.constantFrom('x', 'i, x', 'x, _'), tie('filter'))
        .map(([kind, of, names, body]) => `${kind} ${of} as ${names} { ${body} }`),
    },
  ),
})).filter;

const optionsOf = {
  bare: {},
  absent: { unresolved: 'absent' },
  unknown: { unknownValue: 'a' },
  schema: { schema },
  'schema, absent': { schema, unresolved: 'absent' },
  'schema, unknown': { schema, unknownValue: null },
} as const satisfies Readonly<Record<string, FilterOptions>>;
const options = fc.constantFrom(...(Object.keys(optionsOf) as (keyof typeof optionsOf)[]));

/** The outcome: a result, or the message of an error. */
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof FilterError) return `${error.code}: ${error.message}`;
    return `threw ${String(error)}`;
  }
}

/** Not everything can be shown. */
function render(what: object): string {
  return String(outcome(() => inspect(what, { depth: 6 })));
}

/** Whether two outcomes are the same, rows by identity: some of them are equal to nothing, not even to themselves. */
function isSame(reported: unknown, expected: unknown): boolean {
  if (Array.isArray(reported) && Array.isArray(expected))
    return reported.length === expected.length && reported.every((row, at) => Object.is(row, expected[at]));
  if (isPage(reported) && isPage(expected))
    return isSame(reported.items, expected.items) && Object.is(reported.nextItem, expected.nextItem);
  return Object.is(reported, expected);
}

function isPage(
  reported: unknown,
): reported is { readonly items: readonly unknown[]; readonly nextItem: unknown } {
  return typeof reported === 'object' && reported !== null && 'items' in reported;
}

/** Showing rows takes longer than filtering them. */
function check(reported: unknown, expected: unknown, note: () => string): void {
  const same = isSame(reported, expected);
  expect(same, same ? '' : `${note()}: ${render([reported, expected])}`).toBe(true);
}

/** The three evaluators: careful closures row by row, closures clause by clause, code. */
interface Ways {
  readonly generic: Filter;
  readonly batch: Filter;
  readonly code: Filter;
}

function waysOf(text: string, settings: keyof typeof optionsOf): Ways | null {
  const make = (accelerate: Parameters<typeof compileWhole>[2]): Filter =>
    compileWhole(text, { ...optionsOf[settings], check: false }, accelerate).filter;
  try {
    return { generic: make(null), batch: make(null), code: make(eager) };
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** The reference results of the careful closures, row by row. */
function generically({ test }: Filter, rows: readonly unknown[]): unknown[] {
  return rows.filter((row) => test(row));
}

describe('all entry points of a filter', () => {
  it('return and fail alike, row by row', () => {
    let served = 0;
    fc.assert(
      fc.property(
        filterText,
        options,
        fc.array(anyRowArbitrary(), { minLength: 1, maxLength: 6 }),
        (text, settings, makes) => {
          const ways = waysOf(text, settings);
          if (ways === null) return;
          for (const make of makes) {
            const expected = outcome(() => ways.generic.test(make()));
            if (typeof expected === 'boolean') served += 1;
            const note = (): string => render({ text, settings, row: outcome(make) });
            check(
              outcome(() => ways.code.test(make())),
              expected,
              note,
            );
            const count = typeof expected === 'boolean' ? Number(expected) : expected;
            check(
              outcome(() => ways.batch.count([make()])),
              count,
              note,
            );
            check(
              outcome(() => ways.code.count([make()])),
              count,
              note,
            );
            const page = outcome(() => ways.code.page([make()], 0));
            expect(
              typeof page === 'string'
                ? page
                : (page as { nextItem?: unknown }).nextItem !== undefined
                  ? 1
                  : 0,
            ).toEqual(make() === undefined && count === 1 ? 0 : count);
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(served).toBeGreaterThan(scaled(100));
  });

  it('fail at the same row of a list, and select the same ones', () => {
    const lists = fc.array(
      fc.oneof(
        { weight: 9, arbitrary: anyRowArbitrary() },
        { weight: 1, arbitrary: fc.constant<MakeRow | null>(null) },
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(filterText, options, lists, fc.nat(4), (text, settings, makes, size) => {
        const ways = waysOf(text, settings);
        if (ways === null) return;
        const rows: unknown[] = [];
        makes.forEach((make, at) => {
          if (make !== null) rows[at] = make();
        });
        rows.length = makes.length;
        const note = (): string => render({ text, settings, rows });
        const expected = outcome(() => generically(ways.generic, rows));
        const paged = outcome(() => ways.generic.page(rows.filter(() => true)[Symbol.iterator](), size));
        for (const filter of [ways.batch, ways.code]) {
          check(
            outcome(() => filter.select(rows)),
            expected,
            note,
          );
          check(
            outcome(() => filter.count(rows)),
            Array.isArray(expected) ? expected.length : expected,
            note,
          );
          check(
            outcome(() => filter.page(rows, size)),
            paged,
            note,
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});
