import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { installExplain } from '../../src/filter/explain-filter.js';
import { copyOptions } from '../../src/filter/compile/filter-options.js';
import type { RecallRequest } from '../../src/filter/compile/execution.js';
import type { CompiledExpression } from '../../src/filter/compile/quick/compiled-expression.js';
import { compileWhole, createRecall, partsOf, setAccelerator } from '../../src/filter/filter.js';
import { defineSchema, FilterError, print, t, type Filter, type FilterOptions } from '../../src/index.js';
import { arraySource, createList, type List } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { createSpecialise } from '../../src/filter/specialise/specialise.js';
import { eager } from '../specialise/eager.js';
import { anyRowArbitrary, type MakeRow } from '../support/odd-rows.js';
import { scaled } from '../support/property-runs.js';

installExplain();
const accelerate = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity });

const group = t.struct({ name: t.string, k: t.int, tags: t.list(t.string) });
const schema = defineSchema({
  s: t.string,
  n: t.int,
  f: t.bool,
  tags: t.list(t.string),
  meta: t.map(t.string),
  inner: t.struct({ name: t.string, length: t.int, s: t.float64, tags: t.list(t.int), meta: t.map(t.int) }),
  groups: t.list(group),
  name: t.nullable(t.string),
  size: t.uint,
  length: t.float32,
  source: t.any,
  k: t.time,
  index: t.duration,
  constructor: t.ip,
  byteLength: t.version,
});

const paths = [
  ...['s', 'n', 'f', 'tags', 'meta', 'name', 'size', 'length', 'source', 'k', 'index', 'constructor'],
  ...['byteLength', 'inner.name', 'inner.length', 'inner.s', 'inner.tags', 'inner.meta.x', 'groups.0.name'],
  ...['meta["s"]', 'meta["a b"]', 'meta["__proto__"]', 'meta["constructor"]', 'source.x', 'source["k"]'],
];
const path = fc.constantFrom(...paths, 's', 's', 'n', 'inner.name', 'missing', 'x', 'x.name', 'x.k');

const texts = [
  ...[
    'a',
    'web',
    'x y',
    'é',
    '\u{1F600}',
    '\ud800',
    'ſ',
    'K',
    'len(',
    'i',
    '[',
    '])',
    '`',
    '\\n',
    '\\"',
    '\n',
    'null',
    'nil',
  ],
  ...[
    '',
    '/',
    '/a/b',
    '/a/',
    'true',
    'T',
    'false',
    '0',
    '5',
    '-0',
    '1.5',
    '0x46',
    '1e400',
    'NaN',
    'Infinity',
  ],
  ...[
    '9007199254740993',
    '9223372036854775808',
    '-1',
    '256',
    '__proto__',
    'constructor',
    'toString',
    'now',
    'now - 7d',
  ],
  ...['2026-01-01T00:00:00Z', '2026-01-01', '7d', '-90s', '10.0.0.1', '10.0.0.0/8', '::1', '1.2.3', '1.10'],
  ...[
    '^web',
    '^a',
    'b$',
    '(?i)WEB',
    '(',
    '(a+)+$',
    'a{1001}',
    '[[:alpha:]]+',
    '(?:a|b)*c',
    '*',
    '*.b',
    'a?b*',
  ],
  ...['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(128), 'x'.repeat(129), 'y'.repeat(1_001), '(?i)ſ', '\\pL'],
];
const numbers = ['0', '-0', '5', '-1', '70', '1.5', '-1.25', '256', '4294967296', '9007199254740993'];
const otherLiterals = [
  'a',
  'true',
  '7d',
  'now',
  'now - 7d',
  'now - 7',
  '2026-01-01',
  '1e400',
  '00',
  '5x',
  '10.0.0.1',
  '`web`',
];

/** A place for a literal, and what it may contain: mostly literals of one class, so that the rest of the source is the same. */
type Hole = 'text' | 'number';
const hole = fc.constantFrom<Hole>('text', 'text', 'number');
const literalFor = (of: Hole): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary:
        of === 'text' ? fc.constantFrom(...texts).map((text) => `"${text}"`) : fc.constantFrom(...numbers),
    },
    { weight: 1, arbitrary: fc.constantFrom(...otherLiterals, '"a"i', '"web"', '5') },
  );

/** The parts of a source between its literals. */
interface Form {
  readonly pieces: readonly string[];
  readonly holes: readonly Hole[];
}
const join = (...parts: readonly (string | Hole | Form)[]): Form => {
  const pieces = [''];
  const holes: Hole[] = [];
  const add = (text: string): void => {
    pieces.push(`${pieces.pop() ?? ''}${text}`);
  };
  for (const part of parts) {
    if (typeof part === 'object') {
      add(part.pieces[0] ?? '');
      pieces.push(...part.pieces.slice(1));
      holes.push(...part.holes);
    } else if (part === 'text' || part === 'number') {
      holes.push(part);
      pieces.push('');
    } else add(part);
  }
  return { pieces, holes };
};

const blank = fc.constantFrom(' ', ' ', ' ', '  ', '\t');
const match: fc.Arbitrary<Form> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(path, blank, fc.constantFrom('==', '!='), hole)
      .map(([of, gap, operator, one]) => join(of, gap, operator, gap, one)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(hole, fc.constantFrom('in', 'not in'), path)
      .map(([one, operator, of]) => join(one, ` ${operator} `, of)),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        path,
        fc.constantFrom(
          'matches',
          'not matches',
          'contains',
          'like',
          'starts with',
          'ends with',
          '<',
          '>=',
          '>',
        ),
        hole,
        fc.constantFrom('', '', 'i'),
      )
      .map(([of, operator, one, flag]) => join(of, ` ${operator} `, one, one === 'text' ? flag : '')),
  },
  { weight: 1, arbitrary: path.map((of) => join(of, ' is empty')) },
  { weight: 1, arbitrary: fc.tuple(path, hole).map(([of, one]) => join('len(', of, ') > ', one)) },
  { weight: 1, arbitrary: fc.tuple(path, path).map(([of, other]) => join(of, ' == @', other)) },
  { weight: 1, arbitrary: fc.tuple(path, hole).map(([of, one]) => join(of, '["a"] == ', one)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(path, fc.constantFrom('in', 'not in'), fc.array(hole, { maxLength: 3 }))
      .map(([of, operator, all]) =>
        join(of, ` ${operator} [`, ...all.flatMap((one, at) => (at === 0 ? [one] : [', ', one])), ']'),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        path,
        fc.constantFrom([' or ', '=='] as const, [' and ', '!='] as const),
        fc.array(hole, { minLength: 2, maxLength: 3 }),
      )
      .map(([of, [word, operator], all]) =>
        join('(', ...all.flatMap((one, at) => [`${at === 0 ? '' : word}${of} ${operator} `, one]), ')'),
      ),
  },
);
const form: fc.Arbitrary<Form> = fc.letrec<{ form: Form }>((tie) => ({
  form: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: match },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('form'), tie('form')).map(([a, b]) => join('(', a, ' and ', b, ')')),
    },
    { weight: 1, arbitrary: fc.tuple(tie('form'), tie('form')).map(([a, b]) => join(a, ' or ', b)) },
    { weight: 1, arbitrary: tie('form').map((one) => join('not (', one, ')')) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom('any', 'all'),
          fc.constantFrom('groups', 'tags', 'meta', 'source'),
          fc.constantFrom('x', 'i, x'),
          tie('form'),
        )
        .map(([kind, of, names, body]) => join(`${kind} ${of} as ${names} { `, body, ' }')),
    },
  ),
})).form;

/** Sources that differ in their literals only, and mostly only in what is between the quotes. */
const sources: fc.Arbitrary<readonly string[]> = form.chain(({ pieces, holes }) =>
  fc
    .array(fc.tuple(...holes.map(literalFor)), { minLength: 3, maxLength: 5 })
    .map((all) => all.map((literals) => pieces.map((piece, at) => piece + (literals[at] ?? '')).join(''))),
);

const settings = fc.constantFrom<FilterOptions>(
  { schema },
  { schema, unresolved: 'absent' },
  { schema, limits: { maxSearchedText: 200, maxSteps: 30, maxPatternSize: 12 } },
  { schema, limits: { maxLength: 40, maxCompileSteps: 600 } },
);

/** The outcome: a result, or all that an error says. */
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof FilterError) return `${inspect({ ...error }, { depth: 9 })} ${error.message}`;
    return `threw ${String(error)}`;
  }
}

/** Compiles the whole source, whatever was compiled before. */
function compileAlone(source: string, options: FilterOptions): Filter {
  return compileWhole(source, options, eager).filter;
}

/** Compiles and runs filters as a server does; the second of a shape is stored. */
function use(source: string, options: FilterOptions, rows: readonly unknown[]): void {
  for (let time = 0; time < 2; time += 1) {
    outcome(() => compileWhole(source, options, accelerate).filter.select(rows));
  }
}

function recall(source: string, options: FilterOptions): Filter | null {
  return createRecall(copyOptions(options))(source, accelerate)?.filter ?? null;
}

/** All that a filter says without rows. */
function descriptionOf(filter: Filter): unknown {
  const parts = partsOf(filter);
  return {
    ...{ source: filter.source, ast: filter.ast, relaxations: filter.relaxations, usesNow: filter.usesNow },
    ...{ printed: print(filter.ast), tree: parts?.tree, meaning: parts?.meaning, isClosed: parts?.isClosed },
  };
}

/** Results by the indexes of rows: some rows are equal to nothing, and cannot be shown. */
type Evaluate = (filter: Filter, rows: readonly unknown[]) => readonly unknown[] | number;
const evaluations: Readonly<Record<string, Evaluate>> = {
  select: (filter, rows) => filter.select(rows),
  count: (filter, rows) => filter.count(rows),
  page: (filter, rows) => {
    const { items, nextItem } = filter.page(rows, 1);
    return [...items, nextItem];
  },
  scan: (filter, rows) => {
    const found: unknown[] = [];
    filter.scan(rows, found, { from: 1, limit: 2 });
    return found;
  },
  test: (filter, rows) => rows.filter(filter.test),
  iterable: (filter, rows) => filter.select(new Set(rows)),
  parts: (filter, rows) => rows.filter(partsOf(filter)?.test(filter.ast) ?? expect.fail('no parts')),
};

/** Evaluates on rows that are made for it, because getters may count their calls. */
function evaluated(evaluate: Evaluate, filter: Filter, makers: readonly MakeRow[]): unknown {
  const rows = makers.map((make) => make());
  const result = outcome(() => evaluate(filter, rows));
  return Array.isArray(result) ? result.map((row) => rows.findIndex((each) => Object.is(each, row))) : result;
}

describe('filters that differ only in their literals', () => {
  it('select, fail, explain and describe as if each was compiled alone', () => {
    let recalled = 0;
    fc.assert(
      fc.property(
        sources,
        settings,
        fc.array(anyRowArbitrary(), { minLength: 2, maxLength: 4 }),
        (all, options, makers) => {
          for (const source of all) {
            const filter = recall(source, options);
            if (filter !== null) {
              recalled += 1;
              // Throws if the filter is invalid: such a filter must not be recalled.
              const alone = compileAlone(source, options);
              for (const [name, evaluate] of Object.entries(evaluations)) {
                const expected = evaluated(evaluate, alone, makers);
                const actual = evaluated(evaluate, recall(source, options) ?? filter, makers);
                expect([name, source, actual]).toEqual([name, source, expected]);
              }
              expect(descriptionOf(filter)).toEqual(descriptionOf(alone));
              for (const maker of makers)
                expect(outcome(() => String(filter.explain(maker())))).toBe(
                  outcome(() => String(alone.explain(maker()))),
                );
            }
            use(source, options, [{ s: 'a' }]);
          }
        },
      ),
      { numRuns: 2_000 },
    );
    expect(recalled).toBeGreaterThan(scaled(200));
  });
});

/** Rows that a table accepts. */
const tableRows = fc
  .array(
    fc.record({
      s: fc.constantFrom('', 'a', 'web', 'x y', '5'),
      f: fc.boolean(),
      tags: fc.array(fc.constantFrom('a', 'web', '5'), { maxLength: 2 }),
      meta: fc.constantFrom({}, { s: 'a' }, { 'a b': 'web', constructor: '5' }),
      groups: fc.constantFrom([], [{ name: 'web', k: 5, tags: ['a'] }]),
      name: fc.constantFrom(null, 'a', '/a/b'),
      k: fc.constantFrom('2026-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((all) =>
    all.map((row, at) => ({
      ...{
        n: at * 5,
        size: 5,
        length: 1.5,
        source: 'web',
        index: '1h0m0s',
        constructor: '10.0.0.1',
        byteLength: '1.2.3',
      },
      ...{ inner: { name: 'a', length: 5, s: 1.5, tags: [5], meta: { x: 5 } } },
      ...row,
    })),
  );

describe('lists of which only the literals of filters differ', () => {
  it('return, count, explain and fail as if each filter was compiled alone', async () => {
    let recalled = 0;
    const counting = Object.assign((expression: CompiledExpression) => accelerate?.(expression) ?? null, {
      recall: (request: RecallRequest) => {
        const found = accelerate?.recall?.(request) ?? null;
        if (found !== null) recalled += 1;
        return found;
      },
    });
    const unresolved = fc.constantFrom('error' as const, 'absent' as const);
    const oddRows = fc.array(anyRowArbitrary(), { minLength: 1, maxLength: 4 });
    const run = async (
      all: readonly string[],
      unresolved: 'error' | 'absent',
      made: readonly object[],
      makers: readonly MakeRow[],
    ): Promise<void> => {
      const table = createTable(schema, {
        key: 'n',
        indexes: ['s', 'tags', 'n', 'k', 'name'],
        rows: 'share',
      });
      table.putAll(made as never);
      const open = (rows: readonly unknown[]): List<object> =>
        createList<object>(
          arraySource(schema, () => rows as never, { key: (row) => String(rows.indexOf(row)) }) as never,
          { unresolved },
        );
      const listsOf = (): List<object>[] => [
        createList<object>(table as never, { unresolved }),
        open(made),
        open(makers.map((make) => make())),
      ];
      const lists = new Map([
        [counting, listsOf()],
        [null, listsOf()],
      ]);
      const resultsOf = async (accelerator: typeof counting | null, filter: string): Promise<unknown> => {
        setAccelerator(accelerator);
        const results: unknown[] = [];
        for (const list of lists.get(accelerator) ?? []) {
          for (const query of [
            () => list.page({ filter, perPage: 1, total: true }),
            () => list.page({ filter, prefix: '' }),
            () => list.count({ filter }),
            () => list.facets({ filter }, ['s']),
            () => list.explain({ filter, perPage: 1 }),
          ])
            results.push(
              await query().then(
                (result) => inspect(result, { depth: 12 }).replace(/duration: \d+|\n +at .*/g, ''),
                (error: unknown) =>
                  outcome(() => {
                    throw error;
                  }),
              ),
            );
        }
        return results;
      };
      for (const filter of all.flatMap((each, at) => (at === 0 ? [each, each] : [each])))
        expect([filter, await resultsOf(counting, filter)]).toEqual([filter, await resultsOf(null, filter)]);
    };
    try {
      await fc.assert(fc.asyncProperty(sources, unresolved, tableRows, oddRows, run), { numRuns: 300 });
    } finally {
      setAccelerator(null);
    }
    expect(recalled).toBeGreaterThan(scaled(50));
  });
});
