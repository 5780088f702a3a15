import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { Storage, StoredRow } from '../../src/storage/storage.js';

/** Every driver keeps the same promises. */
const drivers: readonly (readonly [name: string, create: () => Storage])[] = [
  ['memory', createMemoryStorage],
];

async function rowsOf(storage: Storage): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const row of (await storage.load()).rows) rows.push(row);
  return rows.sort((a, b) => (`${a.table} ${a.key}` < `${b.table} ${b.key}` ? -1 : 1));
}

describe.each(drivers)('the %s driver', (_name, create) => {
  it('begins with nothing', async () => {
    const storage = create();
    const { index, tableIndexes } = await storage.load();
    expect({ index, tableIndexes }).toEqual({ index: 0, tableIndexes: {} });
    expect(await rowsOf(storage)).toEqual([]);
    await storage.close();
  });

  it('keeps what was committed: rows, deletions, indexes, integers beyond 2^53', async () => {
    const storage = create();
    await storage.commit({
      index: 5,
      puts: [
        {
          table: 'jobs',
          key: 'a',
          row: { ID: 'a', SubmitTime: 1645230445788556000n, Meta: { 'x.y': null } },
        },
        { table: 'jobs', key: 'b', row: { ID: 'b' } },
        { table: 'nodes', key: 'a', row: { ID: 'n' } },
      ],
      deletes: [],
      tableIndexes: { jobs: 5, nodes: 4 },
    });
    await storage.commit({
      index: 6,
      puts: [{ table: 'jobs', key: 'a', row: { ID: 'a', SubmitTime: 18446744073709551615n } }],
      deletes: [
        { table: 'jobs', key: 'b' },
        { table: 'jobs', key: 'never there' },
      ],
      tableIndexes: { jobs: 6 },
    });
    const { index, tableIndexes } = await storage.load();
    expect(index).toBe(6);
    expect(tableIndexes).toEqual({ jobs: 6, nodes: 4 });
    expect(await rowsOf(storage)).toEqual([
      { table: 'jobs', key: 'a', row: { ID: 'a', SubmitTime: 18446744073709551615n } },
      { table: 'nodes', key: 'a', row: { ID: 'n' } },
    ]);
    await storage.close();
  });
});
