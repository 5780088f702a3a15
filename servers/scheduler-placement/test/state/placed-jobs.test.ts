import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openDatabase } from 'lmdb';
import { afterAll, describe, expect, it } from 'vitest';
import { noRows, restoreCluster } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { allocationShape, type Allocation } from '@tamis/scheduler-model/allocation.js';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { tableShapes } from '@tamis/scheduler-model/resources.js';
import {
  defaultGarbageAges,
  deleteGarbage,
  findGarbage,
  type Garbage,
  type GarbageSearch,
} from '@tamis/scheduler-state/state/gc.js';
import { scanRows, fullRange } from 'tamis/table';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { openLmdbStorage } from '@tamis/scheduler-state/storage/lmdb.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { simpleJob } from '../placement/cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { testLock } from '../../../scheduler-model/test/support/processes.js';
import {
  commit,
  createLastingStorage,
  readContents,
} from '../../../scheduler-state/test/support/storage-log.js';

const root = mkdtempSync(join(tmpdir(), 'placed-jobs-'));
afterAll(() => rmSync(root, { recursive: true }));
let stores = 0;

function openStore(number: number): Storage {
  return openLmdbStorage({
    dir: join(root, String(number)),
    shapes: tableShapes,
    lock: testLock,
  });
}

const open = (storage: Storage): Promise<State> => openState({ storage, clock: createFakeClock() });

function job(ID: string, more: Partial<Job> = {}): Job {
  const complete = completeJob(simpleJob(ID), { namespace: 'default', region: 'global' });
  return { ...complete, ModifyIndex: 5, CreateIndex: 5, ...more };
}

function allocation(ID: string, Job: Job | null, more: object = {}): Allocation {
  const given = {
    ID,
    Namespace: 'default',
    JobID: Job?.ID ?? 'gone',
    ModifyIndex: 7,
    CreateIndex: 7,
    ...more,
  };
  return { ...(completeObject(allocationShape, given) as Allocation), Job };
}

async function put(state: State, ...rows: readonly Allocation[]): Promise<void> {
  await state.write((transaction) => {
    for (const row of rows) transaction.put('allocations', row);
  });
}

function allocationsOf(state: State): Allocation[] {
  return [...scanRows(state.snapshot().tables.allocations.primary, fullRange, false)];
}

const placedJobs = (state: State): string[] =>
  [...scanRows(state.snapshot().tables.placed_jobs.primary, fullRange, false)].map(
    ({ ID, ModifyIndex }) => `${ID} ${ModifyIndex}`,
  );

/** The entries of the log for the jobs of its allocations. */
async function storedJobs(storage: Storage): Promise<unknown[]> {
  const { rows } = await readContents(storage);
  return rows.filter(({ table }) => table === 'allocations').map(({ row }) => (row as Allocation).Job);
}

describe('the jobs of allocations', () => {
  it('are stored once for each state in which they were placed', async () => {
    stores += 1;
    const storage = openStore(stores);
    const state = await open(storage);
    const first = job('a');
    const later = job('a', { Status: 'running', ModifyIndex: 6 });
    const rows = [
      allocation('1', first),
      allocation('2', first),
      allocation('3', later),
      allocation('4', null),
    ];
    await put(state, ...rows, allocation('5', job('a')));
    expect(await storedJobs(storage)).toEqual([
      'default.a 5',
      'default.a 5',
      'default.a 6',
      null,
      'default.a 5',
    ]);
    expect(placedJobs(state)).toEqual(['a 5', 'a 6']);
    await state.close();
    const again = await open(openStore(stores));
    const [one, two, three, ...others] = allocationsOf(again);
    expect([one, two, three]).toEqual(rows.slice(0, 3));
    expect(one?.Job).toBe(two?.Job);
    expect(Object.keys(one ?? {})).toEqual(Object.keys(rows[0] ?? {}));
    expect(others.map(({ Job }) => Job?.Status ?? null)).toEqual([null, first.Status]);
    await again.close();
  });

  it('come from an import as they are, also two under one key', async () => {
    stores += 1;
    const rows = [
      allocation('1', job('a', { Priority: 1 })),
      allocation('2', job('a', { Priority: 2 })),
      allocation('3', job('a', { Priority: 1 })),
    ];
    const state = await open(openStore(stores));
    await state.write((transaction) => {
      restoreCluster(transaction, { ...noRows(), allocations: rows });
    });
    await state.close();
    const again = await open(openStore(stores));
    expect(allocationsOf(again)).toEqual(rows);
    expect(placedJobs(again)).toEqual(['a 5']);
    await put(again, { ...rows[1]!, ClientStatus: 'running' });
    expect(allocationsOf(again).map(({ Job }) => Job?.Priority)).toEqual([1, 2, 1]);
    await again.close();
  });

  it('stay while an allocation refers to them, and no longer', async () => {
    const state = await open(createLastingStorage());
    const ended = { DesiredStatus: 'stop', ClientStatus: 'complete' };
    await put(
      state,
      allocation('1', job('a'), ended),
      allocation('2', job('b')),
      allocation('3', job('b'), ended),
    );
    const collect = async (): Promise<void> => {
      const search = { ages: defaultGarbageAges, now: 10 * defaultGarbageAges.job, imported: 0 };
      const found = searchGarbage(state, search);
      await state.write((transaction) => deleteGarbage(transaction, found));
    };
    // The first search finds what is over, the next one what nothing refers to since.
    await collect();
    expect(allocationsOf(state).map(({ ID }) => ID)).toEqual(['2']);
    expect(placedJobs(state)).toEqual(['a 5', 'b 5']);
    const found = [
      { table: 'placed_jobs', key: 'default.a 5' },
      { table: 'placed_jobs', key: 'default.b 5' },
    ] as const;
    await state.write((transaction) => deleteGarbage(transaction, found));
    expect(placedJobs(state)).toEqual(['b 5']);
    await collect();
    expect(placedJobs(state)).toEqual(['b 5']);
  });

  it('are read from a store of an earlier version, where each allocation holds its own', async () => {
    stores += 1;
    const rows = [allocation('1', job('a')), allocation('2', job('a'))];
    const before = openStore(stores);
    const puts = rows.map((row) => ({ table: 'allocations', key: row.ID, row }));
    await commit(before, { index: 9, puts, deletes: [], tableIndexes: { allocations: 9 } });
    await before.close();
    const path = join(root, String(stores), 'state.mdb');
    const db = openDatabase<string, Buffer>({
      path,
      noSubdir: true,
      encoding: 'string',
      keyEncoding: 'binary',
    });
    await db.put(Buffer.from('\0format'), 'scheduler 1');
    await db.close();
    const storage = openStore(stores);
    const state = await open(storage);
    expect(allocationsOf(state)).toEqual(rows);
    await put(state, { ...allocationsOf(state)[0]!, ClientStatus: 'running' });
    expect(await storedJobs(storage)).toEqual(['default.a 5', rows[1]!.Job]);
    await state.close();
    const again = await open(openStore(stores));
    expect(allocationsOf(again)).toEqual([{ ...rows[0], ClientStatus: 'running' }, rows[1]]);
    await again.close();
  });

  it('are missed where the log has lost them', async () => {
    const storage = createLastingStorage();
    const row = { ...allocation('1', null), Job: 'default.a 5' };
    const puts = [{ table: 'allocations', key: '1', row }];
    await commit(storage, { index: 9, puts, deletes: [], tableIndexes: {} });
    await expect(open(storage)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('allocation 1 refers to the job "default.a 5"') as string,
    });
  });
});

function searchGarbage(state: State, search: GarbageSearch): readonly Garbage[] {
  const steps = findGarbage(state.snapshot().tables, search);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
