import { describe, expect, it } from 'vitest';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import type { Namespace } from '@tamis/scheduler-model/namespace.js';
import { indexOf } from '@tamis/scheduler-state/state/snapshot.js';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { eventLoop } from 'tamis/internal';
import { getRow } from 'tamis/table';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { AppendOutcome, Batch, Entry, Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { createLastingStorage } from '../support/storage-log.js';
import { until } from '../../../scheduler-model/test/support/until.js';

function space(name: string, index: number): Namespace {
  return createNamespace(name, '', index);
}

async function open(storage: Storage = createMemoryStorage()): Promise<State> {
  // Time is frozen for slices too: on a busy machine, a group of writes would otherwise end early.
  return openState({ storage, clock: createFakeClock(), pace: { ...eventLoop, now: () => 0 } });
}

interface BlockedCommit {
  readonly batch: Batch;
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

/** A storage whose commits end when the test says so. */
function blockedStorage(): { readonly storage: Storage; readonly commits: readonly BlockedCommit[] } {
  const storage = createMemoryStorage();
  const commits: BlockedCommit[] = [];
  const append = (entry: Entry): Promise<AppendOutcome> =>
    new Promise((resolve, reject) => {
      commits.push({ batch: entry.batch, finish: () => resolve(storage.append(entry)), fail: reject });
    });
  return { storage: { ...storage, append }, commits };
}

describe('the state', () => {
  it('counts one index for every write, and one for each table', async () => {
    const state = await open();
    expect(state.snapshot().index).toBe(0);
    expect(indexOf(state.snapshot(), ['jobs'])).toBe(1);
    await state.write((transaction) => transaction.put('namespaces', space('a', transaction.index)));
    await state.write((transaction) => transaction.put('namespaces', space('b', transaction.index)));
    const { index, tableIndexes, tables } = state.snapshot();
    expect(index).toBe(2);
    expect(tableIndexes.namespaces).toBe(2);
    expect(tableIndexes.jobs).toBe(0);
    expect(getRow(tables.namespaces, 'b')?.CreateIndex).toBe(2);
  });

  it('raises the index of a table by a deletion, and by nothing that changes nothing', async () => {
    const state = await open();
    await state.write((transaction) => transaction.put('namespaces', space('a', 1)));
    await state.write((transaction) => transaction.delete('namespaces', 'a'));
    await state.write((transaction) => transaction.delete('namespaces', 'a'));
    expect(state.snapshot().tableIndexes.namespaces).toBe(2);
    expect(state.snapshot().index).toBe(2);
  });

  it('keeps a snapshot as it was', async () => {
    const state = await open();
    await state.write((transaction) => transaction.put('namespaces', space('a', 1)));
    const before = state.snapshot();
    await state.write((transaction) => transaction.put('namespaces', space('b', 2)));
    expect(getRow(before.tables.namespaces, 'b')).toBeNull();
    expect(getRow(state.snapshot().tables.namespaces, 'b')).not.toBeNull();
  });

  it('is left as it was by a write that fails, and goes on', async () => {
    const state = await open();
    const failing = state.write((transaction) => {
      transaction.put('namespaces', space('a', 1));
      throw new Error('changed my mind');
    });
    const following = state.write((transaction) =>
      transaction.put('namespaces', space('b', transaction.index)),
    );
    await expect(failing).rejects.toThrow('changed my mind');
    await following;
    expect(getRow(state.snapshot().tables.namespaces, 'a')).toBeNull();
    expect(state.snapshot().index).toBe(1);
  });

  it('stays unchanged if the storage refuses, and wakes no waiter', async () => {
    const storage = createMemoryStorage();
    let isFull = true;
    const state = await open({
      ...storage,
      append: (entry) => (isFull ? Promise.reject(new Error('disk full')) : storage.append(entry)),
    });
    let woken = 0;
    state.watches.watch(['namespaces'], () => (woken += 1));
    const put = (): Promise<void> =>
      state.write((transaction) => transaction.put('namespaces', space('a', 1)));
    await expect(put()).rejects.toThrow('disk full');
    expect(state.snapshot().index).toBe(0);
    expect(woken).toBe(0);
    isFull = false;
    await put();
    expect(woken).toBe(1);
  });

  it('runs writes one after the other, each on what the one before left', async () => {
    const state = await open();
    const names = Array.from({ length: 50 }, (_, at) => `n${at}`);
    const indexes = await Promise.all(
      names.map((name) =>
        state.write((transaction) => {
          transaction.put('namespaces', space(name, transaction.index));
          return [transaction.index, transaction.tables.namespaces.primary.size];
        }),
      ),
    );
    expect(indexes).toEqual(names.map((_, at) => [at + 1, at + 1]));
  });

  it('commits writes that come during a commit together, and shows none of them before', async () => {
    const { storage, commits } = blockedStorage();
    const state = await open(storage);
    const put = (name: string): Promise<number> =>
      state.write((transaction) => {
        transaction.put('namespaces', space(name, transaction.index));
        return transaction.index;
      });
    const first = put('a');
    await until(() => commits.length === 1);
    const others = [put('b'), put('c'), put('e')];
    const nothing = state.write((transaction) => transaction.get('namespaces', 'c')?.Name);
    const failing = state.write((transaction) => {
      transaction.put('namespaces', space('x', transaction.index));
      throw new Error('changed my mind');
    });
    const last = put('d');
    commits[0]?.finish();
    expect(await first).toBe(1);
    await until(() => commits.length === 2);
    expect(state.snapshot().index).toBe(1);
    expect(commits[1]?.batch).toMatchObject({ index: 5, deletes: [], tableIndexes: { namespaces: 5 } });
    expect(commits[1]?.batch.puts.map(({ key, row }) => [key, (row as Namespace).ModifyIndex])).toEqual([
      ['b', 2],
      ['c', 3],
      ['e', 4],
      ['d', 5],
    ]);
    commits[1]?.finish();
    expect(await Promise.all([...others, last])).toEqual([2, 3, 4, 5]);
    expect(await nothing).toBe('c');
    await expect(failing).rejects.toThrow('changed my mind');
    expect(state.snapshot().index).toBe(5);
    expect(getRow(state.snapshot().tables.namespaces, 'x')).toBeNull();
  });

  it('rejects all writes of a commit that the storage refuses, and what they only looked at', async () => {
    const { storage, commits } = blockedStorage();
    const state = await open(storage);
    const put = (name: string): Promise<void> =>
      state.write((transaction) => transaction.put('namespaces', space(name, transaction.index)));
    const shared = [
      put('a'),
      put('b'),
      state.write((transaction) => transaction.get('namespaces', 'b')?.Name ?? ''),
    ];
    await until(() => commits.length === 1);
    const later = put('c');
    commits[0]?.fail(new Error('disk full'));
    for (const write of shared) await expect(write).rejects.toThrow('disk full');
    await until(() => commits.length === 2);
    commits[1]?.finish();
    await later;
    expect(state.snapshot().index).toBe(1);
    expect(state.snapshot().tables.namespaces.primary.size).toBe(1);
  });

  it('waits for the writes under way when it is closed', async () => {
    const { storage, commits } = blockedStorage();
    const state = await open(storage);
    const written = state.write((transaction) => transaction.put('namespaces', space('a', 1)));
    let isClosed = false;
    const closed = state.close().then(() => (isClosed = true));
    await until(() => commits.length === 1);
    expect(isClosed).toBe(false);
    commits[0]?.finish();
    await written;
    await closed;
    const late = state.write((transaction) => transaction.put('namespaces', space('b', 2)));
    await until(() => commits.length === 2);
    commits[1]?.finish();
    await expect(late).rejects.toMatchObject({ code: 'closed' });
  });

  it('sees its own changes inside a write', async () => {
    const state = await open();
    await state.write((transaction) => {
      transaction.put('namespaces', space('a', 1));
      expect(transaction.get('namespaces', 'a')?.Name).toBe('a');
      transaction.delete('namespaces', 'a');
      expect(transaction.get('namespaces', 'a')).toBeNull();
    });
  });

  it('restores rows with their own indexes, and counts on from the largest', async () => {
    const state = await open();
    await state.write((transaction) => transaction.restore('namespaces', [space('a', 70), space('b', 41)]));
    expect(state.snapshot().tableIndexes.namespaces).toBe(70);
    expect(state.snapshot().index).toBe(70);
    await state.write((transaction) => transaction.put('namespaces', space('c', transaction.index)));
    expect(state.snapshot().tableIndexes.namespaces).toBe(71);
  });

  it('comes back from its storage', async () => {
    const storage = createLastingStorage();
    const first = await open(storage);
    await first.write((transaction) => transaction.restore('namespaces', [space('a', 70)]));
    await first.write((transaction) => transaction.put('namespaces', space('b', transaction.index)));
    await first.close();
    const second = await open(storage);
    expect(second.snapshot().index).toBe(71);
    expect(second.snapshot().tableIndexes).toEqual(first.snapshot().tableIndexes);
    expect(getRow(second.snapshot().tables.namespaces, 'b')).toEqual(space('b', 71));
  });
});
