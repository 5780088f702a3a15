import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storageDrivers } from '@tamis/scheduler-state/drivers/storage-drivers.js';
import { openLmdbStorage } from '@tamis/scheduler-state/storage/lmdb.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { Batch, Entry, LogEvent, Storage } from '@tamis/scheduler-state/storage/storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { etcdLogs, etcdMissing, startCluster, type Cluster } from '../support/etcd-logs.js';
import { testLock } from '../../../scheduler-model/test/support/processes.js';
import { commit, readContents, type ReadContents } from '../support/storage-log.js';

const root = mkdtempSync(join(tmpdir(), 'storage-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

let cluster: Cluster | null = null;
beforeAll(async () => {
  if (etcdMissing === undefined) cluster = await startCluster();
});
afterAll(() => cluster?.stop());

/** Every driver keeps the same promises. `reopen` is null where nothing outlives the process. */
interface Driver {
  readonly name: string;
  /** Why it cannot be tested here. */
  readonly missing?: string | undefined;
  /** What a subscriber with a large lag gets: etcd keeps all batches for a while. */
  readonly maxLag: 'contents' | 'batches';
  readonly create: () => { readonly storage: Storage; readonly reopen: (() => Storage) | null };
}

const drivers: readonly Driver[] = [
  {
    name: 'memory',
    maxLag: 'contents',
    create: () => ({ storage: createMemoryStorage(), reopen: null }),
  },
  {
    name: 'lmdb',
    maxLag: 'contents',
    create() {
      count += 1;
      const options = { dir: join(root, String(count)), shapes: new Map(), lock: testLock };
      return { storage: openLmdbStorage(options), reopen: () => openLmdbStorage(options) };
    },
  },
  {
    name: 'etcd',
    missing: etcdMissing,
    maxLag: 'batches',
    create() {
      count += 1;
      const { open } = etcdLogs(cluster!.connect(), `/scheduler/${count}/`);
      return { storage: open(), reopen: open };
    },
  },
];

it('covers every driver that a configuration can select', () => {
  const names = storageDrivers.map(({ name }) => name).sort();
  expect(drivers.map(({ name }) => name).sort()).toEqual(names);
});

function batch(index: number, change: Partial<Batch> = {}): Batch {
  return { index, puts: [], deletes: [], tableIndexes: {}, ...change };
}

/** What a log holds, without the names of its batches. */
async function retainedIn(storage: Storage): Promise<Omit<ReadContents, 'id'>> {
  const { index, tableIndexes, rows } = await readContents(storage);
  return { index, tableIndexes, rows };
}

/** An entry that puts one row, after the one with that name. */
function entry(id: string, after: string, change: Partial<Entry> = {}): Entry {
  const index = Number(id.slice(1));
  const puts = [{ table: 'things', key: id, row: { at: index } }];
  return { id, after, term: 1, batch: batch(index, { puts, tableIndexes: { things: index } }), ...change };
}

/** The names of the next batches of a log; those of resets after `reset`. */
async function nextEvents(events: AsyncIterator<LogEvent>, count: number): Promise<string[]> {
  const names: string[] = [];
  while (names.length < count) {
    const { done, value } = await events.next();
    if (done === true) return [...names, 'end'];
    if (value.kind === 'batch') names.push(value.id);
    else if (value.kind === 'reset') names.push(`reset ${value.contents.id}`);
  }
  return names;
}

describe.each(drivers)('the $name driver', ({ missing, maxLag, create }) => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  it('begins with nothing', async () => {
    const { storage } = create();
    expect(await retainedIn(storage)).toEqual({ index: 0, tableIndexes: {}, rows: [] });
    await storage.close();
  });

  it('keeps what was committed, and still when it is opened again', async () => {
    const { storage, reopen } = create();
    await commit(
      storage,
      batch(5, {
        puts: [
          { table: 'jobs', key: 'a', row: { ID: 'a' } },
          { table: 'jobs', key: 'b', row: { ID: 'b' } },
          { table: 'nodes', key: 'a', row: { ID: 'n' } },
        ],
        tableIndexes: { jobs: 5, nodes: 4 },
      }),
    );
    await commit(
      storage,
      batch(6, {
        puts: [{ table: 'jobs', key: 'a', row: { ID: 'a', SubmitTime: 18446744073709551615n } }],
        deletes: [
          { table: 'jobs', key: 'b' },
          { table: 'jobs', key: 'never there' },
        ],
        tableIndexes: { jobs: 6 },
      }),
    );
    const retained = {
      index: 6,
      tableIndexes: { jobs: 6, nodes: 4 },
      rows: [
        { table: 'jobs', key: 'a', row: { ID: 'a', SubmitTime: 18446744073709551615n } },
        { table: 'nodes', key: 'a', row: { ID: 'n' } },
      ],
    };
    expect(await retainedIn(storage)).toEqual(retained);
    await storage.close();
    if (reopen === null) return;
    const again = reopen();
    expect(await retainedIn(again)).toEqual(retained);
    await commit(again, batch(7, { tableIndexes: { nodes: 7 } }));
    expect(await retainedIn(again)).toMatchObject({ index: 7, tableIndexes: { jobs: 6, nodes: 7 } });
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
    await commit(storage, batch(1, { puts: [{ table: 'things', key, row }] }));
    const expected = [{ table: 'things', key, row }];
    expect((await retainedIn(storage)).rows).toEqual(expected);
    await storage.close();
    if (reopen === null) return;
    const again = reopen();
    expect((await retainedIn(again)).rows).toEqual(expected);
    await commit(again, batch(2, { deletes: [{ table: 'things', key }] }));
    expect((await retainedIn(again)).rows).toEqual([]);
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
    await commit(storage, batch(1, { puts: rows }));
    expect((await retainedIn(storage)).rows).toEqual(rows);
    await storage.close();
  });

  it('takes a batch of many rows', async () => {
    const { storage } = create();
    const puts = Array.from({ length: 20_000 }, (_, at) => ({
      table: 'jobs',
      key: `job ${at}`,
      row: { at },
    }));
    await commit(storage, batch(1, { puts }));
    expect((await retainedIn(storage)).rows).toHaveLength(20_000);
    await storage.close();
  });

  it('is tried without a trace', async () => {
    const { storage, reopen } = create();
    await commit(storage, batch(1, { puts: [{ table: 'things', key: 'a', row: { at: 1 } }] }));
    await storage.probe();
    await Promise.all([storage.probe(), commit(storage, batch(2)), storage.probe()]);
    const retained = await retainedIn(storage);
    expect([retained.index, retained.rows.length]).toEqual([2, 1]);
    await storage.close();
    await expect(storage.probe()).rejects.toMatchObject({ code: 'closed' });
    if (reopen === null) return;
    const again = reopen();
    expect(await retainedIn(again)).toEqual(retained);
    await again.close();
  });

  it('takes nothing once it is closed, and closing it twice is no harm', async () => {
    const { storage } = create();
    await storage.close();
    await storage.close();
    const refused = expect(storage.append(entry('e1', ''))).rejects;
    await refused.toThrow(StorageError);
    await refused.toMatchObject({ code: 'closed' });
  });

  it.each<[what: string, entry: Entry, outcome: object]>([
    ['takes what follows the last batch', entry('e3', 'e2'), { kind: 'committed' }],
    ['takes what a later leader appends', entry('e3', 'e2', { term: 5 }), { kind: 'committed' }],
    ['knows the last batch again', entry('e2', 'e1'), { kind: 'committed' }],
    ['knows it again, whatever else is said', entry('e2', 'x', { term: 0 }), { kind: 'committed' }],
    ['refuses what follows an earlier batch', entry('e3', 'e1'), { kind: 'conflict', index: 2 }],
    ['refuses what follows no batch', entry('e3', ''), { kind: 'conflict', index: 2 }],
    ['refuses what follows a batch of elsewhere', entry('e3', 'x'), { kind: 'conflict', index: 2 }],
    ['refuses an earlier leader', entry('e3', 'e2', { term: 0 }), { kind: 'notLeader', index: 2 }],
  ])('%s', async (_what, last, outcome) => {
    const { storage, reopen } = create();
    await storage.append(entry('e1', ''));
    await storage.append(entry('e2', 'e1'));
    const before = await readContents(storage);
    expect(await storage.append(last)).toEqual(outcome);
    const isNew = last.id === 'e3' && (outcome as { kind: string }).kind === 'committed';
    if (isNew) expect(await readContents(storage)).toMatchObject({ id: 'e3', index: 3 });
    else expect(await readContents(storage)).toEqual(before);
    await storage.close();
    if (reopen === null) return;
    const again = reopen();
    expect((await readContents(again)).id).toBe(isNew ? 'e3' : 'e2');
    expect(await again.append(entry('e9', 'e1', { term: 9 }))).toMatchObject({ kind: 'conflict' });
    expect(await again.append(entry('e9', isNew ? 'e3' : 'e2', { term: 0 }))).toMatchObject({
      kind: 'notLeader',
    });
    await again.close();
  });

  it('delivers batches to every subscriber in order, each at its own speed, until it is closed', async () => {
    const { storage } = create();
    const fast = storage.subscribe();
    const slow = storage.subscribe();
    const gone = storage.subscribe();
    expect(await nextEvents(fast, 1)).toEqual(['reset ']);
    expect(await nextEvents(slow, 1)).toEqual(['reset ']);
    const waiting = nextEvents(fast, 2);
    await storage.append(entry('e1', ''));
    await gone.return?.();
    await storage.append(entry('e1', ''));
    await storage.append(entry('e7', 'nowhere'));
    await storage.append(entry('e2', 'e1'));
    expect(await waiting).toEqual(['e1', 'e2']);
    const late = storage.subscribe();
    await storage.append(entry('e3', 'e2'));
    expect(await nextEvents(late, 1)).toEqual(['reset e3']);
    expect(await nextEvents(fast, 1)).toEqual(['e3']);
    expect(await nextEvents(slow, 3)).toEqual(['e1', 'e2', 'e3']);
    const ends = [fast, slow, gone, late].map((events) => nextEvents(events, 1));
    await storage.close();
    expect(await Promise.all(ends)).toEqual([['end'], ['end'], ['end'], ['end']]);
    expect(await nextEvents(storage.subscribe(), 1)).toEqual(['end']);
  });

  it(`gives a subscriber with too large a lag ${maxLag}`, async () => {
    const { storage } = create();
    const events = storage.subscribe();
    expect(await nextEvents(events, 1)).toEqual(['reset ']);
    const ids = Array.from({ length: 300 }, (_, at) => `e${at + 1}`);
    for (const [at, id] of ids.entries()) await storage.append(entry(id, ids[at - 1] ?? ''));
    if (maxLag === 'batches') {
      expect(await nextEvents(events, 300)).toEqual(ids);
      return storage.close();
    }
    const { value } = (await events.next()) as { value: LogEvent };
    if (value.kind !== 'reset') throw new Error('no reset');
    let rows = 0;
    for await (const row of value.contents.rows) rows += row.table === 'things' ? 1 : 0;
    expect([value.contents.id, rows]).toEqual(['e300', 300]);
    await storage.append(entry('e301', 'e300'));
    expect(await nextEvents(events, 1)).toEqual(['e301']);
    await storage.close();
  });
});
