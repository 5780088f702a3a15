import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compileFilter,
  defineSchema,
  FilterError,
  t,
  type Filter,
  type FilterOptions,
} from '../../src/index.js';
import { applySuggestion, lint } from '../../src/entries/lint.js';
import { scaled } from '../support/property-runs.js';

const schema = defineSchema({
  Name: t.string,
  Count: t.int,
  Flag: t.bool,
  Tags: t.list(t.string),
  Meta: t.map(t.string),
  Note: t.nullable(t.string),
  Inner: t.struct({ Name: t.string, Meta: t.map(t.string) }),
  Maybe: t.nullable(t.struct({ Name: t.string })),
});

const text = fc.constantFrom('', 'a', 'b', '0', '1', 'true', 'a\nb', undefined, null);
const meta = fc.option(fc.dictionary(fc.constantFrom('k', 'owner'), text));
const inner = fc.option(fc.record({ Name: text, Meta: meta }, { requiredKeys: [] }));
const row = fc.record(
  {
    Name: text,
    Count: fc.constantFrom(0, 1, undefined, null),
    Flag: fc.constantFrom(true, false, undefined, null),
    Tags: fc.option(fc.array(fc.constantFrom('', 'a', 'b'))),
    Meta: meta,
    Note: text,
    Inner: inner,
    Maybe: inner,
  },
  { requiredKeys: [] },
);

const fields = [
  'Name',
  'Note',
  'Meta.owner',
  'Meta.k',
  'Inner.Name',
  'Inner.Meta.k',
  'Maybe.Name',
  'Count',
  'Tags',
  'Meta',
];
const field = fc.constantFrom(...fields);
const pattern = fc.constantFrom('', '.*', '^', '$', '^.*', '^.*$', 'a');
const clause = fc.oneof(
  fc
    .tuple(field, fc.constantFrom('matches', 'not matches'), pattern)
    .map(([name, op, value]) => `${name} ${op} "${value}"`),
  fc
    .tuple(
      field,
      fc.constantFrom('==', '!=', 'contains', 'not contains'),
      fc.constantFrom('a', 'b', '0', '1', '01', 'true', ''),
    )
    .map(([name, op, value]) => `${name} ${op} "${value}"`),
  fc
    .tuple(field, fc.constantFrom('<', '<=', '>', '>='), fc.constantFrom('0', '1', '2', '"a"', '"b"', '"0"'))
    .map((parts) => parts.join(' ')),
  fc
    .tuple(field, fc.constantFrom('in', 'not in'), fc.constantFrom('[]', '[0, 1]', '["a", "b"]', '["a"i]'))
    .map((parts) => parts.join(' ')),
  fc
    .tuple(field, fc.constantFrom('==', '!=', '>'), fc.constantFrom('@Name', '@Note', '@Count', '"A"i'))
    .map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('Tags', 'Meta', 'Name'), fc.constantFrom('==', '!=', '>', '<'), fc.nat(2))
    .map(([name, operator, length]) => `len(${name}) ${operator} ${length}`),
  fc
    .tuple(field, fc.constantFrom('is empty', 'is not empty', 'is nil', 'is not nil'))
    .map(([name, op]) => `${name} ${op}`),
);
const negatable = fc
  .tuple(clause, fc.boolean())
  .map(([each, isNegated]) => (isNegated ? `not (${each})` : each));
const whole = fc
  .tuple(fc.array(negatable, { minLength: 1, maxLength: 4 }), fc.constantFrom(' and ', ' or '))
  .map(([parts, join]) => parts.join(join));

/** The filters that lint claims to be always or never true, as texts. */
function claims(source: string, options: object): { readonly text: string; readonly result: boolean }[] {
  return lint(source, options).flatMap(({ code, message, span }) => {
    if (code !== 'always-true' && code !== 'always-false') return [];
    const said = message.replace(/ is (?:always|never) true$/, '');
    return [
      { text: said === message ? source.slice(span.start, span.end) : said, result: code === 'always-true' },
    ];
  });
}

it.each([{}, { schema }])('what lint says to be always or never true is so, with %o', (options) => {
  let claimed = 0;
  fc.assert(
    fc.property(whole, fc.array(row, { minLength: 1, maxLength: 6 }), (source, rows) => {
      for (const { text: said, result } of claims(source, options)) {
        for (const unresolved of ['error', 'absent'] as const) {
          const filter = compileFilter(said, { ...options, unresolved, check: false });
          for (const each of rows) {
            try {
              expect([said, filter.test(each as never)]).toEqual([said, result]);
              claimed += 1;
            } catch (error) {
              if (!(error instanceof FilterError)) throw error;
            }
          }
        }
      }
    }),
    { numRuns: 3_000 },
  );
  expect(claimed).toBeGreaterThan(scaled(20));
});

it('says of a key that may be missing only that the pattern requires it', () => {
  for (const source of ['Meta.owner matches ".*"', 'Maybe.Name matches "^"', 'Note not matches ""']) {
    expect(lint(source, { schema })).toMatchObject([{ code: 'matches-everything' }]);
  }
  expect(lint('Inner.Name matches ".*"', { schema })).toMatchObject([{ code: 'always-true' }]);
});

/** Several tests of one field, which often say the same. */
const aboutOne = fc
  .tuple(
    fc.constantFrom(['Count', ['0', '1', '2']] as const, ['Name', ['"a"', '"b"', '"0"']] as const),
    fc.array(fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), fc.nat(2)), {
      minLength: 2,
      maxLength: 4,
    }),
    fc.constantFrom(' and ', ' or '),
  )
  .map(([[name, values], tests, join]) =>
    tests.map(([operator, at]) => `${name} ${operator} ${values[at] ?? ''}`).join(join),
  );

/** The result of a filter, null if it fails. */
function resultOf(filter: Filter, each: unknown): boolean | null {
  try {
    return filter.test(each);
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

it.each([
  ['without a schema', {}],
  ['with one', { schema }],
])('applying the corrections of lint changes no result, %s', (_, options) => {
  let compared = 0;
  fc.assert(
    fc.property(aboutOne, fc.array(row, { minLength: 1, maxLength: 6 }), (source, rows) => {
      for (const { code, suggestions } of lint(source, options)) {
        if (code !== 'redundant' && code !== 'duplicate') continue;
        const settings: FilterOptions = { ...options, check: false };
        const before = compileFilter(source, settings);
        for (const suggestion of suggestions) {
          const after = compileFilter(applySuggestion(source, suggestion), settings);
          for (const each of rows) {
            const [was, is] = [resultOf(before, each), resultOf(after, each)];
            // What is left out fails where the rest does not get to it.
            if (was === null || is === null) continue;
            expect([source, after.source, is]).toEqual([source, after.source, was]);
            compared += 1;
          }
        }
      }
    }),
    { numRuns: 1_000 },
  );
  expect(compared).toBeGreaterThan(scaled(200));
});
