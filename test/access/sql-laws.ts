import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { compiledAccess, type CompiledAccess } from '../../src/filter/access-filter.js';
import { compileFilter, defineSchema, FilterError, parse, print, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import { SqlFilterError, sqlListSource, type RunSql } from '../../src/entries/sql.js';
import type { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { Values } from '../support/drawn-values.js';
import { jsonOf, JsonText, type Engine } from '../sql/engines.js';
import {
  drawRow,
  testMappingOf,
  isClickhouse,
  jsonProperties,
  markOf,
  quotedColumn as nameIn,
  schema,
  shape,
  type TestMapping,
  type TestDialect,
} from '../sql/test-mapping.js';
import { seeded } from '../sql/seeded.js';
import { evaluate } from './kleene.js';

const now = new Date('2026-11-02T00:00:00Z');
type Row = Record<string, unknown>;

const others: readonly unknown[] = [
  null,
  5,
  1.5,
  0,
  '',
  'a',
  '5',
  true,
  false,
  [],
  {},
  ['a'],
  [null],
  { k: 'a' },
];

/** Returns a copy of a value of JSON in which one value is missing, null or of another kind. */
function damageJson(draw: Draw, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || draw.oneIn(4)) return draw.pick(others);
  const keys = Object.keys(value);
  if (keys.length === 0) return draw.pick(others);
  const key = draw.pick(keys);
  const damaged = damageJson(draw, (value as Row)[key]);
  if (Array.isArray(value)) return value.map((each: unknown, at) => (String(at) === key ? damaged : each));
  const rest = Object.entries(value).filter(([name]) => name !== key);
  return Object.fromEntries(draw.oneIn(3) ? rest : [...rest, [key, damaged]]);
}

const jsonColumns = ['labels', 'meta', 'counts', 'groups', 'periodic', 'deep'];
const sqliteColumns = [...jsonColumns, 'tags', 'notes', 'nums', 'flags', 'peers'];

interface Damage {
  readonly id: string;
  readonly column: string;
  readonly value: unknown;
}

const cases = seeded((draw) => {
  const values = new Values(draw);
  const rows = Array.from({ length: 24 }, (_, at) => drawRow(values, `r${String(at).padStart(2, '0')}`));
  const damages = draw.list(12, 36, (): Damage => {
    const [row, column] = [draw.pick(rows), draw.pick(sqliteColumns)];
    return { id: String(row.id), column, value: damageJson(draw, row[column]) };
  });
  const filters = Array.from({ length: 14 }, () => drawFilter(draw, values, shape, true));
  return { rows, damages, filters };
});

/** Fills the table, with values of other kinds where the columns can store them. Returns the rows as they are read. */
async function fill(
  engine: Engine,
  mapping: TestMapping,
  rows: readonly Row[],
  damages: readonly Damage[],
): Promise<Row[]> {
  const { dialect } = mapping;
  if (isClickhouse(dialect)) {
    const json = new Set(jsonProperties(dialect));
    const given = [
      ...damages.filter(({ column }) => json.has(column)),
      { id: 'r04', column: 'deep', value: null },
    ];
    const damaged = new Map(rows.map((row) => [row.id, { ...row }]));
    for (const { id, column, value } of given) {
      const row = damaged.get(id);
      if (row !== undefined)
        row[column] = new JsonText(value === null && id === 'r04' ? 'no json' : jsonOf(value));
    }
    await engine.fill(mapping, 'granted', [...damaged.values()]);
    return select(engine, mapping, { text: 'TRUE', values: [] });
  }
  await engine.fill(mapping, 'granted', rows);
  const hasLists = dialect === 'sqlite' || dialect === 'mysql';
  const damaged = dialect === 'duckdb' ? [] : hasLists ? sqliteColumns : jsonColumns;
  const named = (name: string): string => nameIn(dialect, name);
  for (const { id, column, value } of damages) {
    if (!damaged.includes(column)) continue;
    const given = dialect === 'postgres' ? '$1::jsonb' : '?';
    await engine.run(`UPDATE granted SET ${named(column)} = ${given} WHERE ${named('id')} = '${id}'`, [
      jsonOf(value),
    ]);
  }
  if (dialect === 'postgres')
    for (const [at, instant] of ['infinity', '-infinity', '0044-03-15 BC', '12026-01-01'].entries())
      await engine.run(`UPDATE granted SET "at""?" = '${instant}' WHERE "id""?" = 'r0${at}'`, []);
  if (dialect === 'mysql')
    for (const [at, instant] of ['0000-00-00', '2026-02-00', '2026-02-31', '0000-01-01'].entries())
      await engine.run(
        `UPDATE granted SET ${named('at')} = '${instant}' WHERE ${named('id')} = 'r0${at}'`,
        [],
      );
  if (hasLists)
    await engine.run(`UPDATE granted SET ${named('deep')} = 'no json' WHERE ${named('id')} = 'r04'`, []);
  return select(engine, mapping, { text: 'TRUE', values: [] });
}

async function select(
  engine: Engine,
  { source }: TestMapping,
  where: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Row[]> {
  const found = await engine.run(
    `SELECT ${source.select} FROM ${source.from} WHERE ${where.text}`,
    where.values,
  );
  return found.map((row) => source.decode(row) as Row);
}

function idsOf(rows: readonly object[]): string[] {
  return rows.map((row) => String((row as Row).id)).sort();
}

/** An access filter as `policy.access` creates it. */
function granting(text: string | null, kind: 'all' | 'some' | 'none' = 'some'): CompiledAccess<object> {
  const filter = text === null ? null : compileFilter<object>(text, { schema, unresolved: 'deny' });
  const access: CompiledAccess<object> = {
    ...{ kind, text: text ?? '', key: text ?? kind, usesNow: false, at: () => access, schema },
    test: (row) => kind === 'all' || filter?.test(row) === true,
    [compiledAccess]: filter,
  };
  return access;
}

/** Defines the tests of access filters on an engine. */
export function describeAccess(
  dialect: TestDialect,
  open: () => Promise<Engine | null>,
  prove: (law: fc.IAsyncProperty<unknown>) => Promise<void>,
): void {
  const mapping = testMappingOf(dialect, 'granted');
  const { source } = mapping;
  const mark = markOf(dialect);
  const options = { unresolved: 'deny', now } as const;
  let engine: Engine | null = null;

  beforeAll(async () => {
    engine = await open();
  });

  it('selects exactly the rows for which a filter is true in three-valued logic', async () => {
    const seen = { exact: 0, residual: 0, true: 0 };
    const property = fc.asyncProperty(cases, async ({ rows, damages, filters }) => {
      if (engine === null) return expect(engine).toBeNull();
      const all = await fill(engine, mapping, rows, damages);
      for (const ast of filters) {
        let filter: string;
        try {
          filter = print(ast);
          compileFilter(filter, { schema });
        } catch (error) {
          if (error instanceof FilterError || error instanceof TypeError) continue;
          throw error;
        }
        const expected = idsOf(
          all.filter((row) => evaluate(parse(filter).ast, schema, row, now.getTime()) === true),
        );
        const query = source.where(filter, options);
        const found = await select(engine, mapping, { text: query.toSQL(mark), values: query.values });
        const { residual, exact } = query;
        const left = residual === null ? found : found.filter((row) => residual.test(row));
        expect({ filter, exact, sql: query.toSQL('?'), rows: idsOf(left) }).toEqual({
          filter,
          exact,
          sql: query.toSQL('?'),
          rows: expected,
        });
        seen[exact ? 'exact' : 'residual'] += 1;
        seen.true += expected.length;
      }
    });
    await prove(property);
    if (engine !== null) expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  const run: RunSql = async (statement, values) => (await engine?.run(statement, values)) ?? [];
  const rows = Array.from({ length: 60 }, (_, at) => ({
    ...{ id: `r${String(at).padStart(2, '0')}`, strict: '', count: at, flag: at % 2 === 0 },
    ...{ owner: at % 4 === 0 ? null : `o${at % 4}`, text: at % 5 === 0 ? null : `t${at % 5}`, whole: at },
  }));

  const odd: readonly unknown[] = [null, 5, 'a', true, [], {}, ['a'], [null], { k: null }, { k: 5 }];
  const oddRows = [
    ...[NaN, Infinity, 1, null].map((load, at) => ({
      id: `n${at}`,
      load,
      maybeLoad: 1,
      text: 'a',
      owner: null,
    })),
    ...odd.map((_, at) => ({
      id: `j${at}`,
      load: 2,
      maybeLoad: NaN,
      text: null,
      owner: 'a',
      meta: { k: 'a' },
    })),
  ].map((row, at) => ({ ...row, strict: '', count: at }));
  const oddDamages = odd.flatMap((value, at): Damage[] =>
    ['meta', 'labels', 'deep', 'periodic', 'groups'].map((column) => ({ id: `j${at}`, column, value })),
  );

  it.each([
    ...['load != 1', 'load not in [1, 5]', 'load != "NaN"', 'load not in [1, "NaN"]', 'load != @maybeLoad'],
    ...[
      'not (load < 5)',
      'not (load == @maybeLoad)',
      'maybeLoad not in []',
      'text != "b"',
      'text not in ["b"]',
    ],
    ...[
      'text is empty',
      'not (text is empty)',
      'owner is nil',
      'owner is not nil',
      'owner != @text',
      'text not in []',
    ],
    ...['meta.k != "b"', 'meta.x != "b"', 'meta.k is nil', '"k" in meta', '"x" not in meta', 'meta is empty'],
    ...['labels is nil', 'labels is not nil', '"b" not in labels', '"a" in labels', 'len(labels) != 5'],
    ...[
      'len(meta) != 7',
      'deep.Label != "b"',
      'deep.One.Note is nil',
      'periodic is nil',
      'periodic.Spec != "b"',
    ],
    ...['deep is not nil', 'any groups as g { g.Name != "b" }', 'all groups as g { g.Name != "b" }'],
    ...[
      'not (any groups as g { g.Name == "b" })',
      'all meta as k, v { v != "b" }',
      'meta not contains @text',
    ],
    ...[
      'tags not contains @text',
      'tags not contains "b"',
      'nums not contains 1',
      'len(tags) < 5',
      'count > 1',
    ],
  ])('decides damaged rows as in memory for %s', async (filter) => {
    if (engine === null) return expect(engine).toBeNull();
    const all = await fill(engine, mapping, oddRows, oddDamages);
    const query = source.where(filter, options);
    const found = await select(engine, mapping, { text: query.toSQL(mark), values: query.values });
    const { residual } = query;
    const left = residual === null ? found : found.filter((row) => residual.test(row));
    const { ast } = parse(filter);
    const expected = all.filter((row) => evaluate(ast, schema, row, now.getTime()) === true);
    expect({ sql: query.toSQL('?'), rows: idsOf(left) }).toEqual({
      sql: query.toSQL('?'),
      rows: idsOf(expected),
    });
  });

  it('reads only the rows of the access filter for pages, totals, facets and explanations', async () => {
    if (engine === null) return expect(engine).toBeNull();
    const all = await fill(engine, mapping, rows, []);
    const statements: string[] = [];
    const fetched: unknown[] = [];
    const counted: RunSql = async (statement, values, signal) => {
      statements.push(statement);
      const found = await run(statement, values, signal);
      fetched.push(...found);
      return found;
    };
    const list = createList(sqlListSource(source, counted, { key: 'id' as never, maxFetched: 20 }), {
      unresolved: 'absent',
    });
    const access = granting('owner != "o1" and (text == "t1" or text == "t2")');
    const visible = all.filter(
      ({ owner, text }) => owner !== null && owner !== 'o1' && (text === 't1' || text === 't2'),
    );
    const { items, total } = await list.page({ access, total: true, perPage: 5 });
    expect([idsOf(items), total]).toEqual([idsOf(visible).slice(0, 5), visible.length]);
    const facets = await list.facets({ access }, ['owner' as never]);
    expect(facets.total).toBe(visible.length);
    expect(facets.facets.owner?.values.map(({ value }) => value).sort()).toEqual(['o2', 'o3']);
    // The residual of the filter is evaluated for rows of the access filter only: fewer than maxFetched.
    fetched.length = 0;
    const slow = await list.page({ access, filter: 'address != 10.0.0.1' });
    expect(idsOf(slow.items)).toEqual(idsOf(visible));
    expect(fetched.length).toBe(visible.length);
    const explanation = await list.explain({ access, filter: 'text == "t3"' });
    expect(explanation.statement?.split(' WHERE ')[1]).not.toContain('owner');
    statements.length = 0;
    expect((await list.page({ access: granting(null, 'none') })).items).toEqual([]);
    expect(statements.every((statement) => statement.includes('FALSE'))).toBe(true);
    expect((await list.page({ access: granting(null, 'all') })).items).toHaveLength(60);
  });

  it('adds the condition of the access filter to that of the filter', async () => {
    if (engine === null) return expect(engine).toBeNull();
    const all = await fill(engine, mapping, rows, []);
    const scope = { strings: [`${nameIn(dialect, 'count')} < `, ''], values: [40] };
    const query = source.where('flag == true', {
      access: granting('owner != "o1"'),
      scope,
      unresolved: 'absent',
    });
    const found = await select(engine, mapping, { text: query.toSQL(mark), values: query.values });
    const expected = all.filter(
      ({ owner, flag, count }) => owner !== null && owner !== 'o1' && flag === true && Number(count) < 40,
    );
    expect(idsOf(found)).toEqual(idsOf(expected));
    expect(query.clauses).toHaveLength(1);
    expect(source.where('flag == true', { access: granting(null, 'none') }).toSQL('?')).toContain('FALSE');
  });

  it('rejects an access filter that the database cannot evaluate exactly, naming its matches', async () => {
    const access = granting('owner == "a" and (version > 1.0.0 or address == 10.0.0.1)');
    const named = /version > 1\.0\.0 \(.*\); address == 10\.0\.0\.1 \(/;
    expect(() => source.where('flag == true', { access })).toThrow(named);
    const list = createList(sqlListSource(source, run, { key: 'id' as never }));
    await expect(list.page({ access })).rejects.toThrow(SqlFilterError);
    const other = defineSchema({ id: t.string });
    const foreign = { ...granting('owner == "a"'), schema: other };
    expect(() => source.where('flag == true', { access: foreign as never })).toThrow(
      'where: the policy of access and the mapping must have the same schema',
    );
    expect(() => source.where('flag == true', { access: {} as never })).toThrow(
      'where: access must come from policy.access',
    );
  });
}
