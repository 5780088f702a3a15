import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileFilter, FilterError, print } from '../../src/index.js';
import { drawFilter } from '../support/drawn-filter.js';
import { Values } from '../support/drawn-values.js';
import { seeded } from './seeded.js';
import '../support/property-seed.js';
import { dialects, sharedEngine, type Engine } from './engines.js';
import { drawRow, testMappingOf, schema, shape, type TestMapping } from './test-mapping.js';

const now = new Date('2026-11-02T00:00:00Z');

/** Rows, and filters that match their values. */
const cases = seeded((draw) => {
  const values = new Values(draw);
  const rows = Array.from({ length: 24 }, (_, at) => drawRow(values, `r${String(at).padStart(2, '0')}`));
  const filters = Array.from({ length: 12 }, () => drawFilter(draw, values, shape, true));
  return { rows, filters };
});

/** The rows of a filter by the database and the residual, and by the filter alone. */
async function bothWays(
  engine: Engine,
  { source, dialect }: TestMapping,
  all: readonly Record<string, unknown>[],
  filter: string,
): Promise<readonly [unknown, unknown]> {
  const options = { unresolved: 'absent', now } as const;
  const whole = compileFilter(filter, { ...options, schema, now: () => now });
  const query = source.where(filter, options);
  const statement = `SELECT ${source.select} FROM ${source.from} WHERE ${query.toSQL(dialect === 'postgres' ? '$' : '?')}`;
  const found = await engine.run(statement, query.values);
  const rows = found.map((row) => source.decode(row) as Record<string, unknown>);
  const { residual, exact } = query;
  expect(exact).toBe(residual === null);
  const left = residual === null ? rows : rows.filter((row) => residual.test(row));
  const ids = (list: readonly Record<string, unknown>[]): string[] => list.map(({ id }) => String(id)).sort();
  return [ids(left), ids(all.filter((row) => whole.test(row)))];
}

describe.each(dialects)('%s', (dialect) => {
  const mapping = testMappingOf(dialect, 'drawn');
  let engine: Engine | null = null;

  beforeAll(async () => {
    engine = await sharedEngine(dialect);
  });

  it('finds the rows that the filter finds, and gives them back as they were', async () => {
    const { source } = mapping;
    const property = fc.asyncProperty(cases, async ({ rows, filters }) => {
      if (engine === null) return expect(engine).toBeNull();
      await engine.fill(mapping, 'drawn', rows);
      const found = await engine.run(`SELECT ${source.select} FROM ${source.from}`, []);
      const all = found.map((row) => source.decode(row) as Record<string, unknown>);
      for (const ast of filters) {
        let filter: string;
        try {
          filter = print(ast);
          compileFilter(filter, { schema });
        } catch (error) {
          if (error instanceof FilterError || error instanceof TypeError) continue;
          throw error;
        }
        const [left, right] = await bothWays(engine, mapping, all, filter);
        expect({ filter, rows: left }).toEqual({ filter, rows: right });
      }
    });
    await fc.assert(property, { numRuns: 6 });
  });
});
