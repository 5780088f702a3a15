import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compiledAccess, type CompiledAccess } from '../../src/filter/access-filter.js';
import { compileFilter, FilterError, parse, print, type Filter } from '../../src/index.js';
import { SqlFilterError } from '../../src/entries/sql.js';
import type { Draw } from '../support/draw.js';
import { drawFilter } from '../support/drawn-filter.js';
import { Values } from '../support/drawn-values.js';
import { dialects, jsonOf, sharedEngine, type Engine } from '../sql/engines.js';
import { drawRow, houseOf, schema, shape, type House } from '../sql/house.js';
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
  house: House,
  rows: readonly Row[],
  damages: readonly Damage[],
): Promise<Row[]> {
  const { dialect, source } = house;
  await engine.fill(house, 'granted', rows);
  const damaged = dialect === 'duckdb' ? [] : dialect === 'sqlite' ? sqliteColumns : jsonColumns;
  for (const { id, column, value } of damages) {
    if (!damaged.includes(column)) continue;
    const given = dialect === 'sqlite' ? '?' : '$1::jsonb';
    await engine.run(`UPDATE granted SET "${column}""?" = ${given} WHERE "id""?" = '${id}'`, [jsonOf(value)]);
  }
  return select(engine, house, { text: 'TRUE', values: [] });
}

async function select(
  engine: Engine,
  { source }: House,
  where: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Row[]> {
  const found = await engine.run(
    `SELECT ${source.select} FROM ${source.from} WHERE ${where.text}`,
    where.values,
  );
  return found.map((row) => source.decode(row) as Row);
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => String(id)).sort();
}

/** An access filter as `policy.access` creates it. */
function accessOf(
  filter: Filter<never> | null,
  kind: 'all' | 'some' | 'none' = 'some',
): CompiledAccess<never> {
  const text = filter?.source ?? '';
  const access: CompiledAccess<never> = {
    ...{ kind, text, key: text, usesNow: filter?.usesNow ?? false, at: () => access },
    test: (row) => kind === 'all' || filter?.test(row) === true,
    [compiledAccess]: filter,
  };
  return access;
}

describe.each(dialects)('%s', (dialect) => {
  const house = houseOf(dialect, 'granted');
  const { source } = house;
  const mark = dialect === 'postgres' ? '$' : '?';
  const options = { unresolved: 'deny', now } as const;
  let engine: Engine | null = null;

  beforeAll(async () => {
    engine = await sharedEngine(dialect);
  });

  it('selects exactly the rows for which a filter is true in three-valued logic', async () => {
    const seen = { exact: 0, residual: 0, true: 0 };
    const property = fc.asyncProperty(cases, async ({ rows, damages, filters }) => {
      if (engine === null) return expect(engine).toBeNull();
      const all = await fill(engine, house, rows, damages);
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
        const found = await select(engine, house, { text: query.toSQL(mark), values: query.values });
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
    await fc.assert(property, { numRuns: 6 });
    console.log(dialect, seen);
  });
});
