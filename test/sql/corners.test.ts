import { beforeAll, describe, expect, it } from 'vitest';
import { compileFilter } from '../../src/index.js';
import type { DialectName, DriverRow } from '../../src/entries/sql.js';
import { createRandom } from '../fuzz/random.js';
import { Draw } from '../support/draw.js';
import { filterOf, lines, now, rows } from './corner-cases.js';
import { dialects, sharedEngine, type Engine } from './engines.js';
import { testMappingOf, schema } from './test-mapping.js';
import { spoil } from './wild.js';

const dialectPlaces: Readonly<Record<DialectName, number>> = { postgres: 0, sqlite: 1, duckdb: 2 };

describe.each(dialects)('filters in %s', (dialect) => {
  const { source, ...mapping } = testMappingOf(dialect, 'corners');
  let engine: Engine | null = null;
  let all: Record<string, unknown>[] = [];

  beforeAll(async () => {
    engine = await sharedEngine(dialect);
    if (engine === null) return;
    await engine.fill({ source, ...mapping }, 'corners', rows);
    // The first index of an array is any number.
    if (dialect === 'postgres')
      await engine.run(`UPDATE corners SET "tags""?" = '[5:5]={K}' WHERE "id""?" = 'r03'`, []);
    // What a column can hold, and no row.
    if (dialect !== 'sqlite') {
      await engine.run(`UPDATE corners SET "at""?" = 'infinity' WHERE "id""?" = 'r00'`, []);
      await engine.run(`UPDATE corners SET "at""?" = '-infinity' WHERE "id""?" = 'r01'`, []);
      const before = dialect === 'postgres' ? `'0044-03-15 BC'` : `'0044-03-15 (BC)'`;
      await engine.run(`UPDATE corners SET "at""?" = ${before} WHERE "id""?" = 'r02'`, []);
      await engine.run(`UPDATE corners SET "at""?" = '12026-01-01' WHERE "id""?" = 'r03'`, []);
    } else {
      await engine.run(`UPDATE corners SET "text""?" = 'web' || char(0) || '-1' WHERE "id""?" = 'r03'`, []);
      await engine.run(`UPDATE corners SET "meta""?" = 'no json' WHERE "id""?" = 'r04'`, []);
    }
    const found = await engine.run(`SELECT ${source.select} FROM ${source.from} ORDER BY "id""?"`, []);
    all = found.map((row) => source.decode(row) as Record<string, unknown>);
    // This driver cuts a text at U+0000.
    if (dialect === 'sqlite') all = all.map((row) => (row.id === 'r03' ? { ...row, text: 'web\0-1' } : row));
  });

  it.each(lines)('%s', async (line) => {
    if (engine === null) return expect(engine).toBeNull();
    const filter = filterOf(line);
    const options = { unresolved: 'absent', now } as const;
    const query = source.where(filter, options);
    const whole = compileFilter(filter, { schema, unresolved: 'absent', now: () => now });
    const ids = (list: readonly Record<string, unknown>[]): unknown[] => list.map(({ id }) => id);
    const statement = `SELECT ${source.select} FROM ${source.from} WHERE ${query.toSQL(dialect === 'postgres' ? '$' : '?')} ORDER BY "id""?"`;
    const found: readonly DriverRow[] = await engine.run(statement, query.values);
    const given = found.map((row) => source.decode(row) as Record<string, unknown>);
    const read =
      dialect === 'sqlite'
        ? given.map((row) => (row.id === 'r03' ? { ...row, text: 'web\0-1' } : row))
        : given;
    const { residual } = query;
    const left = residual === null ? read : read.filter((row) => residual.test(row));
    expect({ statement: query.toSQL('?'), rows: ids(left) }).toEqual({
      statement: query.toSQL('?'),
      rows: ids(all.filter((row) => whole.test(row))),
    });
    const kinds = query.clauses.map(({ by }) => by);
    const kind = query.exact ? 'E' : kinds.every((by) => by === 'residual') ? 'R' : 'W';
    expect(kind).toBe(line.charAt(dialectPlaces[dialect]));
  });

  it.skipIf(dialect === 'duckdb')('none of which fails for what else a column can hold', async () => {
    if (engine === null) return expect(engine).toBeNull();
    const wild = testMappingOf(dialect, 'wild');
    const ids = Array.from({ length: 100 }, (_, at) => ({ id: `r${at}`, strict: '', count: 0 }));
    await engine.fill(wild, 'wild', ids);
    const draw = new Draw(createRandom(7).below);
    await spoil(engine, ids.length, (from) => draw.pick(from));
    for (const line of lines) {
      const query = wild.source.where(filterOf(line), { unresolved: 'absent', now });
      const statement = `SELECT count(*) AS n FROM wild WHERE ${query.toSQL(dialect === 'postgres' ? '$' : '?')}`;
      await expect(Promise.resolve(engine.run(statement, query.values)), line).resolves.toHaveLength(1);
    }
  });
});
