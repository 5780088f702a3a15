import fc from 'fast-check';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import type { Conversion } from '../../src/entries/convert.js';

/** The schema of the rows with which converted filters are compared. */
export const schema = defineSchema({
  Name: t.string,
  Owner: t.nullable(t.string),
  Count: t.int,
  Load: t.float64,
  Quota: t.nullable(t.int),
  Stop: t.bool,
  Tags: t.list(t.string),
  Net: t.struct({ Zone: t.string, Port: t.nullable(t.int) }),
});

export type ForeignRow = Readonly<Record<string, unknown>>;

const words = ['', 'a', 'A', 'ab', 'abc', 'ba b', '10', '9', 'x*', 'a,b', "o'k", ' '];
export const word = fc.constantFrom(...words);
export const integer = fc.constantFrom(-1, 0, 1, 5, 9, 10);
export const float = fc.constantFrom(-0.5, 0, 0.5, 1, 2.25);

/** Rows as the schema declares them. */
export const rows: fc.Arbitrary<ForeignRow[]> = fc.array(
  fc.record({
    Name: word,
    Owner: fc.option(word),
    Count: integer,
    Load: float,
    Quota: fc.option(integer),
    Stop: fc.boolean(),
    Tags: fc.array(word, { maxLength: 3 }),
    Net: fc.record({ Zone: word, Port: fc.option(integer) }),
  }),
  { minLength: 12, maxLength: 12 },
);

/** The indexes of the rows that a filter selects; all for null. */
export function selected(filter: { readonly source: string } | null, all: readonly ForeignRow[]): number[] {
  const compiled = filter === null ? null : compileFilter(filter.source, { schema });
  return all.flatMap((row, index) => (compiled === null || compiled.test(row) ? [index] : []));
}

/** @throws Error with the problems of a conversion. */
export function valueOf<T>(conversion: Conversion<T>): T {
  if (conversion.ok) return conversion.value;
  throw new Error(conversion.problems.map(({ at, message }) => `${at}: ${message}`).join('\n'));
}

export function problemsOf(conversion: Conversion<unknown>): readonly string[] {
  return conversion.ok ? [] : conversion.problems.map(({ at, message }) => `${at}: ${message}`);
}

const textOperators = ['==', '!=', '<', '>=', 'starts with', 'not ends with'];
const searches = ['contains', 'not contains'];
const numberOperators = ['==', '!=', '<', '<=', '>', '>='];

/** Filters over the schema, of the operators that some foreign form has. */
export const filters: fc.Arbitrary<string> = fc.letrec<{ node: string; leaf: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(tie('node'), fc.constantFrom('and', 'or'), tie('node'))
      .map(([a, kind, b]) => `(${a}) ${kind} (${b})`),
    tie('node').map((operand) => `not (${operand})`),
  ),
  leaf: fc.oneof(
    test(
      fc.constantFrom('Name', 'Owner', 'Net.Zone'),
      textOperators,
      word.map((each) => JSON.stringify(each)),
    ),
    test(fc.constantFrom('Count', 'Quota', 'Net.Port'), numberOperators, integer.map(String)),
    test(fc.constant('Load'), numberOperators, float.map(String)),
    test(fc.constant('Stop'), ['==', '!='], fc.boolean().map(String)),
    test(
      fc.constantFrom('Name', 'Owner', 'Net.Zone'),
      searches,
      word.filter((each) => each !== '').map((each) => JSON.stringify(each)),
    ),
    word.map((each) => `${JSON.stringify(each)} in Tags`),
    fc.constantFrom(
      'Owner is nil',
      'Owner is not nil',
      'Quota is nil',
      'Name is empty',
      'Name < @Net.Zone',
      'Name == @Net.Zone',
    ),
    fc.array(integer, { maxLength: 3 }).map((each) => `Quota in [${each.join(', ')}]`),
    fc
      .array(word, { maxLength: 3 })
      .map((each) => `Owner not in [${each.map((text) => JSON.stringify(text)).join(', ')}]`),
    word
      .filter((each) => each !== '')
      .map((each) => `Name like ${JSON.stringify(`*${each.replace(/[*?\\]/g, '\\$&')}*`)}`),
  ),
})).node;

function test(
  field: fc.Arbitrary<string>,
  operators: readonly string[],
  value: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  return fc.tuple(field, fc.constantFrom(...operators), value).map((parts) => parts.join(' '));
}
