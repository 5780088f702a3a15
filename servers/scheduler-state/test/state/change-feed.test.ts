import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { jsonSize } from 'tamis/internal';
import type { Namespace } from '@tamis/scheduler-model/namespace.js';
import type { ChangeGroup, RowChange } from '@tamis/scheduler-state/state/change-feed.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { scanRows, fullRange } from 'tamis/table';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { openLmdbStorage } from '@tamis/scheduler-state/storage/lmdb.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { until } from '../../../scheduler-model/test/support/until.js';
import { testLock } from '../../../scheduler-model/test/support/processes.js';
import { changesIn, concurrentWrites, runTogether } from '../support/concurrent-writes.js';

function space(name: string, index: number): Namespace {
  return createNamespace(name, '', index);
}

const roomy = { maxChanges: 1_000, maxSize: 1_000_000 };

function open(changeLimits = roomy, storage: Storage = createMemoryStorage()): Promise<State> {
  return openState({ storage, clock: createFakeClock(), changeLimits });
}

function put(state: State, name: string): Promise<void> {
  return state.write((transaction) => transaction.put('namespaces', space(name, transaction.index)));
}

function reported(state: State): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  state.changes.subscribe((group) => {
    // The rows are in the snapshot by then.
    expect(state.snapshot().index).toBe(group.index);
    groups.push(group);
  });
  return groups;
}

describe('the feed of changes', () => {
  it('reports the rows before and after additions, changes and deletions', async () => {
    const state = await open();
    const groups = reported(state);
    await put(state, 'a');
    await put(state, 'a');
    await state.write((transaction) => transaction.delete('namespaces', 'a'));
    const place = { table: 'namespaces', key: 'a' };
    expect(groups).toEqual([
      {
        kind: 'rows',
        index: 1,
        indexes: { namespaces: 1 },
        changes: [{ ...place, before: null, after: space('a', 1) }],
      },
      {
        kind: 'rows',
        index: 2,
        indexes: { namespaces: 2 },
        changes: [{ ...place, before: space('a', 1), after: space('a', 2) }],
      },
      {
        kind: 'rows',
        index: 3,
        indexes: { namespaces: 3 },
        changes: [{ ...place, before: space('a', 2), after: null }],
      },
    ]);
    expect(state.changes.since(0)).toEqual(groups);
    expect(state.changes.since(1n)).toEqual(groups.slice(1));
    expect(state.changes.since(3)).toEqual([]);
    await state.close();
  });

  it('reports nothing to former subscribers, and no unread changes', async () => {
    const state = await open();
    const groups: ChangeGroup[] = [];
    const leave = state.changes.subscribe((group) => groups.push(group));
    await state.write((transaction) => {
      transaction.put('namespaces', space('a', 1));
      transaction.delete('namespaces', 'a');
    });
    leave();
    await put(state, 'b');
    expect(groups).toEqual([{ kind: 'rows', index: 1, indexes: { namespaces: 1 }, changes: [] }]);
    await state.close();
  });

  it('begins with what is there when the state is opened', async () => {
    const storage = createMemoryStorage();
    const first = await open(roomy, storage);
    await put(first, 'a');
    const second = await open(roomy, storage);
    expect(second.changes.oldest()).toBe(1);
    expect(second.changes.since(0)).toBe('gone');
    expect(second.changes.since(1)).toEqual([]);
    await first.close();
  });

  const oneRow = jsonSize(space('a', 1));
  it.each([
    ['changes', { maxChanges: 3, maxSize: 1_000_000 }, 3],
    ['bytes of rows of before', { maxChanges: 1_000, maxSize: 3 * oneRow }, 3],
    ['bytes, without a row to spare', { maxChanges: 1_000, maxSize: 3 * oneRow - 1 }, 2],
    ['no bytes at all', { maxChanges: 1_000, maxSize: 0 }, 0],
    ['no changes at all', { maxChanges: 0, maxSize: 1_000_000 }, 0],
  ])('keeps no more than its bounds say: %s', async (_name, limits, count) => {
    const state = await open(limits);
    for (let index = 1; index <= 9; index += 1) await put(state, 'a');
    expect(state.changes.oldest()).toBe(9 - count);
    expect(state.changes.since(9 - count)).toHaveLength(count);
    expect(state.changes.since(8 - count)).toBe('gone');
    await state.close();
  });

  it('reports that all rows may have changed for a batch with too many rows', async () => {
    const state = await open({ maxChanges: 3, maxSize: 1_000_000 });
    const groups = reported(state);
    await put(state, 'a');
    await state.write((transaction) => {
      for (const name of ['b', 'c', 'd', 'e']) transaction.put('namespaces', space(name, 2));
    });
    expect(groups.map(({ kind, index }) => [kind, index])).toEqual([
      ['rows', 1],
      ['reset', 2],
    ]);
    expect(state.changes.since(1)).toBe('gone');
    expect(state.changes.since(2)).toEqual([]);
    await state.close();
  });
});

function rowsOf({ tables }: Snapshot): Map<string, Namespace> {
  const rows = scanRows(tables.namespaces.primary, fullRange, false);
  return new Map([...rows].map((row) => [row.Name, row]));
}

function apply(rows: Map<string, Namespace>, change: RowChange): void {
  if (change.table !== 'namespaces') return;
  expect(rows.get(change.key) ?? null).toEqual(change.before);
  if (change.after === null) rows.delete(change.key);
  else rows.set(change.key, change.after);
}

const write = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), isPut: fc.boolean() }), {
  maxLength: 5,
});

describe('the feed of changes, for random writes', () => {
  it('leads from any retained state to the current one, here and on a follower', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 20 }), fc.nat(12), async (writes, maxChanges) => {
        const storage = createMemoryStorage();
        const leader = await open({ maxChanges, maxSize: 1_000_000 }, storage);
        const follower = await open({ maxChanges, maxSize: 1_000_000 }, storage);
        const states = [new Map<string, Namespace>()];
        for (const commands of writes) {
          await leader.write((transaction) => {
            for (const { name, isPut } of commands) {
              if (isPut) transaction.put('namespaces', space(name, transaction.index));
              else transaction.delete('namespaces', name);
            }
          });
          states[leader.snapshot().index] = rowsOf(leader.snapshot());
        }
        await until(() => follower.snapshot().index === leader.snapshot().index);
        for (const { changes, snapshot } of [leader, follower]) {
          for (const [index, earlier] of states.entries()) {
            const rows = new Map(earlier);
            const groups = changes.since(index);
            expect(groups === 'gone').toBe(index < changes.oldest());
            if (groups === 'gone') continue;
            for (const group of groups) for (const change of group.changes) apply(rows, change);
            expect(rows).toEqual(rowsOf(snapshot()));
          }
        }
        await leader.close();
      }),
    );
  });
});

describe('the changes of concurrent writes', () => {
  const root = mkdtempSync(join(tmpdir(), 'change-feed-'));
  afterAll(() => rmSync(root, { recursive: true }));
  let count = 0;
  const stores: Readonly<Record<string, () => Storage>> = {
    memory: createMemoryStorage,
    lmdb: () => openLmdbStorage({ dir: join(root, String((count += 1))), shapes: new Map(), lock: testLock }),
  };

  it.each(Object.keys(stores))('reports each change of each write in %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(concurrentWrites, async (writes) => {
        const state = await open(roomy, stores[name]!());
        const groups = reported(state);
        const made = await runTogether(state, writes);
        expect(changesIn(groups).sort()).toEqual([...made].sort());
        await state.close();
      }),
      { numRuns: 30 },
    );
  });
});
