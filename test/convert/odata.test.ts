import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromOData, toOData } from '../../src/entries/convert.js';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import {
  filters,
  float,
  integer,
  problemsOf,
  rows,
  schema,
  selected,
  valueOf,
  word,
  type ForeignRow,
} from './foreign-rows.js';

const options = { schema };

/** True, false, or null: unknown. */
type Truth = boolean | null;

/** A `$filter` with its value for a row, by the rules of OData 4.01, URL conventions, 5.1.1. */
interface Drawn {
  readonly text: string;
  readonly value: (row: ForeignRow) => Truth;
}

const valueAt = (row: ForeignRow, path: string): unknown =>
  path.split('/').reduce<unknown>((value, part) => (value as ForeignRow)[part], row);
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** 5.1.1.1: null equals only null, and no ordering is true for it. */
function compare(operator: string, left: unknown, right: unknown): boolean {
  if (operator === 'eq') return left === right;
  if (operator === 'ne') return left !== right;
  if (left === null || right === null) return false;
  const [a, b] = [left as number, right as number];
  return { lt: a < b, le: a <= b, gt: a > b, ge: a >= b }[operator] as boolean;
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function and(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true;
}

const comparison = <T extends string | number | boolean | null>(
  fields: readonly string[],
  operators: readonly string[],
  values: fc.Arbitrary<T>,
): fc.Arbitrary<Drawn> =>
  fc
    .tuple(fc.constantFrom(...fields), fc.constantFrom(...operators), values, fc.boolean())
    .map(([path, operator, value, isReversed]) => {
      const literal = typeof value === 'string' ? quoted(value) : String(value);
      const reversed = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' }[operator] ?? operator;
      return {
        text: isReversed ? `${literal} ${reversed} ${path}` : `${path} ${operator} ${literal}`,
        value: (row) => compare(operator, valueAt(row, path), value),
      };
    });

const search = fc
  .tuple(
    fc.constantFrom('contains', 'startswith', 'endswith'),
    fc.constantFrom('Name', 'Owner', 'Net/Zone'),
    word,
    fc.constantFrom('', 'tolower', 'toupper'),
  )
  .map(([name, path, part, by]): Drawn => {
    const fold = (text: string): string =>
      by === '' ? text : by === 'tolower' ? text.toLowerCase() : text.toUpperCase();
    const literal = fold(part);
    return {
      text: `${name}(${by === '' ? path : `${by}(${path})`},${quoted(literal)})`,
      value: (row) => {
        const text = valueAt(row, path) as string | null;
        if (text === null) return null;
        const method = { contains: 'includes', startswith: 'startsWith', endswith: 'endsWith' }[
          name
        ] as 'includes';
        return fold(text)[method](literal);
      },
    };
  });

const all = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const leaf: fc.Arbitrary<Drawn> = fc.oneof(
  comparison(['Name', 'Owner', 'Net/Zone'], all, word),
  comparison(['Count', 'Quota', 'Net/Port'], all, integer),
  comparison(['Load'], all, float),
  comparison(['Owner', 'Quota', 'Net/Port'], ['eq', 'ne'], fc.constant(null)),
  comparison(['Stop'], ['eq', 'ne'], fc.boolean()),
  fc.constant<Drawn>({ text: 'Stop', value: (row) => row['Stop'] as boolean }),
  search,
  fc
    .tuple(fc.constantFrom('Quota', 'Count'), fc.array(integer, { minLength: 1, maxLength: 3 }))
    .map(([path, values]): Drawn => ({
      text: `${path} in (${values.join(',')})`,
      value: (row) => (values as unknown[]).includes(row[path]),
    })),
  fc.tuple(fc.constantFrom('any', 'all'), word).map(([kind, text]): Drawn => ({
    text: `Tags/${kind}(x:x ne ${quoted(text)})`,
    value: (row) => (row['Tags'] as string[])[kind === 'any' ? 'some' : 'every']((tag) => tag !== text),
  })),
  fc.constant<Drawn>({ text: 'Tags/any()', value: (row) => (row['Tags'] as string[]).length > 0 }),
  fc.tuple(fc.constantFrom(...all), integer).map(([operator, count]): Drawn => ({
    text: `Tags/$count ${operator} ${count}`,
    value: (row) => compare(operator, (row['Tags'] as string[]).length, count),
  })),
  fc.tuple(fc.constantFrom(...all), integer).map(([operator, count]): Drawn => ({
    text: `length(Owner) ${operator} ${count}`,
    value: (row) => compare(operator, (row['Owner'] as string | null)?.length ?? null, count),
  })),
);

const drawnFilters: fc.Arbitrary<Drawn> = fc.letrec<{ node: Drawn }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.tuple(fc.constantFrom('and', 'or', 'OR'), tie('node'), tie('node')).map(([kind, a, b]): Drawn => ({
      text: `(${a.text}) ${kind} (${b.text})`,
      value: (row) =>
        kind === 'and' ? and([a.value(row), b.value(row)]) : not(and([not(a.value(row)), not(b.value(row))])),
    })),
    tie('node').map((operand): Drawn => ({
      text: `not (${operand.text})`,
      value: (row) => not(operand.value(row)),
    })),
  ),
})).node;

describe('$filter of OData', () => {
  it('selects the rows for which it is true by the rules of OData', () => {
    fc.assert(
      fc.property(drawnFilters, rows, (drawn, table) => {
        const filter = valueOf(fromOData(drawn.text, options));
        const expected = table.flatMap((row, at) => (drawn.value(row) === true ? [at] : []));
        expect(selected(filter, table), `${drawn.text} is ${filter.source}`).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('exports a $filter with the meaning of the filter', () => {
    let count = 0;
    fc.assert(
      fc.property(filters, rows, (source, table) => {
        const exported = toOData(source, options);
        if (!exported.ok) return;
        count += 1;
        const filter = compileFilter(source, { schema, unresolved: 'absent' });
        const back = valueOf(fromOData(exported.value, options));
        const expected = table.flatMap((row, at) => (filter.test(row) ? [at] : []));
        expect(selected(back, table), `${source} is ${exported.value}`).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(count).toBeGreaterThan(100);
  });
});

const jobs = defineSchema({
  Name: t.string,
  Count: t.int,
  Submitted: t.time,
  Groups: t.list(t.struct({ Name: t.string, Count: t.int })),
  Meta: t.map(t.string),
});

describe('conversions of $filter', () => {
  it.each([
    ["Name eq 'O''Neil'", 'Name == "O\'Neil"'],
    ["tolower(Name) eq 'web'", 'Name == "web"i'],
    ['Submitted ge 2026-11-01T08:00:00Z', 'Submitted >= "2026-11-01T08:00:00Z"'],
    ['Submitted lt now()', 'Submitted < now'],
    [
      "Groups/any(g: g/Name eq 'cache' and g/Count gt 1)",
      'any Groups as _, x { x.Name == "cache" and x.Count > 1 }',
    ],
    ['Count eq -5 or Count in (1, 2)', 'Count == -5 or Count in [1, 2]'],
    ["Meta/env ne 'prod'", 'Meta.env is nil or Meta.env != "prod"'],
  ])('reads %s', (text, source) => expect(valueOf(fromOData(text, { schema: jobs })).source).toBe(source));

  it.each([
    ['any Groups as g { g.Name == cache }', "Groups/any(g: g/Name eq 'cache')"],
    ['Name == "WEB"i and Count >= 3', "tolower(Name) eq 'web' and Count ge 3"],
    ['not (Name like "*a*" or Count == 1)', "not (contains(Name, 'a') or Count eq 1)"],
    ['not (Name == a) and Count == 1', "(not (Name eq 'a')) and Count eq 1"],
    ['Submitted > 2026-11-01', 'Submitted gt 2026-11-01'],
    ['len(Groups) > 2', 'Groups/$count gt 2'],
  ])('writes %s', (source, text) => expect(valueOf(toOData(source, { schema: jobs }))).toBe(text));

  it.each([
    ["Nmae eq 'x'", 'offset 0: Nmae: there is no such field. Did you mean Name?'],
    ["Name eq 'x' and Count add 1 eq 2", 'offset 22: eq, ne, lt, le, gt, ge or in is expected, got add'],
    ["indexof(Name,'x') eq 1", 'offset 0: the function indexof is not supported'],
    ["Name eq 'x", 'offset 7: " \'x" is not part of a $filter'],
    ["Count eq 'x'", 'offset 0: a value of Count, which is an int, is expected, got "x"'],
    ['not Count eq 1', 'offset 4: "not" precedes comparisons: put this one in parentheses'],
    ["tolower(Name) eq 'WEB'", 'offset 0: no result of tolower is "WEB"'],
    ['Name eq', 'offset 7: a field or a value is expected, got the end'],
    [`${'('.repeat(200)}Count eq 1`, 'offset 101: nested more than 100 levels'],
  ])('refuses to read %s', (text, problem) =>
    expect(problemsOf(fromOData(text, { schema: jobs }))).toEqual([problem]),
  );

  it.each([
    ['Name matches "^a"', 'Name matches "^a": OData has no "matches"'],
    ['Submitted > now - 7d', 'Submitted > now - 7d: the current time cannot be exported'],
    ['Meta["cost.center"] == x', 'Meta["cost.center"] == "x": "cost.center" is not an identifier of OData'],
    ['Nmae == x', 'Nmae: Nmae: there is no such field. Did you mean Name?'],
  ])('refuses to write %s', (source, problem) =>
    expect(problemsOf(toOData(source, { schema: jobs }))).toEqual([problem]),
  );
});
