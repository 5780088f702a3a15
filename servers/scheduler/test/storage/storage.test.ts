import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { Batch, Storage, StoredRow } from '../../src/storage/storage.js';
import { StorageError } from '../../src/storage/storage-error.js';
import { testProcesses } from '../support/processes.js';

const root = mkdtempSync(join(tmpdir(), 'storage-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

/** Every driver keeps the same promises. `reopen` is null where nothing outlives the process. */
interface Driver {
  readonly name: string;
  readonly create: () => { readonly storage: Storage; readonly reopen: (() => Storage) | null };
}

const drivers: readonly Driver[] = [
  { name: 'memory', create: () => ({ storage: createMemoryStorage(), reopen: null }) },
  {
    name: 'lmdb',
    create() {
      count += 1;
      const options = { dir: join(root, String(count)), shapes: new Map(), processes: testProcesses() };
      return { storage: openLmdbStorage(options), reopen: () => openLmdbStorage(options) };
    },
  },
];

interface Kept {
  readonly index: number;
  readonly tableIndexes: Readonly<Record<string, number>>;
  readonly rows: readonly StoredRow[];
}

async function contentsOf(storage: Storage): Promise<Kept> {
  const { index, tableIndexes, rows } = await storage.load();
  const found: StoredRow[] = [];
  for await (const row of rows) found.push(row);
  found.sort((a, b) => (`${a.table} ${a.key}` < `${b.table} ${b.key}` ? -1 : 1));
  return { index, tableIndexes, rows: found };
}

function batch(index: number, change: Partial<Batch> = {}): Batch {
  return { index, puts: [], deletes: [], tableIndexes: {}, ...change };
}

describe.each(drivers)('the $name driver', ({ create }) => {
  it('begins with nothing', async () => {
    const { storage } = create();
    expect(await contentsOf(storage)).toEqual({ index: 0, tableIndexes: {}, rows: [] });
    await storage.close();
  });

  it('keeps what was committed, and still when it is opened again', async () => {
    const { storage, reopen } = create();
    await storage.commit(
      batch(5, {
        puts: [
          { table: 'jobs', key: 'a', row: { ID: 'a' } },
          { table: 'jobs', key: 'b', row: { ID: 'b' } },
          { table: 'nodes', key: 'a', row: { ID: 'n' } },
        ],
        tableIndexes: { jobs: 5, nodes: 4 },
      }),
    );
    await storage.commit(
      batch(6, {
        puts: [{ table: 'jobs', key: 'a', row: { ID: 'a', SubmitTime: 18446744073709551615n } }],
        deletes: [
          { table: 'jobs', key: 'b' },
          { table: 'jobs', key: 'never there' },
        ],
        tableIndexes: { jobs: 6 },
      }),
    );
    const kept = {
      index: 6,
      tableIndexes: { jobs: 6, nodes: 4 },
      rows: [
        { table: 'jobs', key: 'a', row: { ID: 'a', SubmitTime: 18446744073709551615n } },
        { table: 'nodes', key: 'a', row: { ID: 'n' } },
      ],
    };
    expect(await contentsOf(storage)).toEqual(kept);
    await storage.close();
    if (reopen === null) return;
    const again = reopen();
    expect(await contentsOf(again)).toEqual(kept);
    await again.commit(batch(7, { tableIndexes: { nodes: 7 } }));
    expect(await contentsOf(again)).toMatchObject({ index: 7, tableIndexes: { jobs: 6, nodes: 7 } });
    await again.close();
  });

  it.each<[what: string, key: string, row: object]>([
    ['integers of 64 bits, small ones too', 'a', { a: 1645230445788556000n, b: -(2n ** 63n), c: 0n, d: 7 }],
    [
      'null, empty and nested values',
      'a',
      { a: null, b: '', c: [], d: {}, e: [null, [1n, { f: null }]], g: 0 },
    ],
    ['numbers that are no integers', 'a', { a: 0.1, b: 1e300, c: -1e-9, d: 2 ** 53 }],
    [
      'texts with every kind of character',
      'a',
      { a: '\0\u0001\ufffd😀"\\\n', b: '\0', c: '\x001', d: '\0=' },
    ],
    ['names with every kind of character', 'a', { '': 1n, '\0': '\0', 'a.b/c d': 1, 'é😀': { '"': 2n } }],
    [
      'names that objects have by themselves',
      'a',
      JSON.parse('{"__proto__":{"a":1},"constructor":[]}') as object,
    ],
    ['keys with every kind of character', '\0\u0001.é😀 \xff/', { a: 1 }],
    ['keys that are long', `default.${'x'.repeat(100_000)}`, { a: 1n }],
    ['an empty key', '', { a: 1 }],
    ['rows that are large', 'a', { a: 'é'.repeat(3_000_000) }],
  ])('gives back equal %s', async (_what, key, row) => {
    const { storage, reopen } = create();
    await storage.commit(batch(1, { puts: [{ table: 'things', key, row }] }));
    const expected = [{ table: 'things', key, row }];
    expect((await contentsOf(storage)).rows).toEqual(expected);
    await storage.close();
    if (reopen === null) return;
    const again = reopen();
    expect((await contentsOf(again)).rows).toEqual(expected);
    await again.commit(batch(2, { deletes: [{ table: 'things', key }] }));
    expect((await contentsOf(again)).rows).toEqual([]);
    await again.close();
  });

  it('keeps tables and keys apart that begin alike', async () => {
    const { storage } = create();
    const rows = [
      { table: 'job', key: 'sa', row: { at: 1 } },
      { table: 'jobs', key: 'a', row: { at: 2 } },
      { table: 'jobs', key: 'a\0', row: { at: 3 } },
      { table: 'jobs', key: `${'y'.repeat(2_000)}1`, row: { at: 4 } },
      { table: 'jobs', key: `${'y'.repeat(2_000)}2`, row: { at: 5 } },
    ];
    await storage.commit(batch(1, { puts: rows }));
    expect((await contentsOf(storage)).rows).toEqual(rows);
    await storage.close();
  });

  it('takes a batch of many rows', async () => {
    const { storage } = create();
    const puts = Array.from({ length: 20_000 }, (_, at) => ({
      table: 'jobs',
      key: `job ${at}`,
      row: { at },
    }));
    await storage.commit(batch(1, { puts }));
    expect((await contentsOf(storage)).rows).toHaveLength(20_000);
    await storage.close();
  });

  it('is tried without a trace', async () => {
    const { storage, reopen } = create();
    await storage.commit(batch(1, { puts: [{ table: 'things', key: 'a', row: { at: 1 } }] }));
    await storage.probe();
    await Promise.all([storage.probe(), storage.commit(batch(2)), storage.probe()]);
    const kept = await contentsOf(storage);
    expect([kept.index, kept.rows.length]).toEqual([2, 1]);
    await storage.close();
    await expect(storage.probe()).rejects.toMatchObject({ code: 'closed' });
    if (reopen === null) return;
    const again = reopen();
    expect(await contentsOf(again)).toEqual(kept);
    await again.close();
  });

  it('takes nothing once it is closed, and closing it twice is no harm', async () => {
    const { storage } = create();
    await storage.close();
    await storage.close();
    const refused = expect(storage.commit(batch(1))).rejects;
    await refused.toThrow(StorageError);
    await refused.toMatchObject({ code: 'closed' });
  });
});
