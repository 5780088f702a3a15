import { describe, expect, it } from 'vitest';
import { createNamespace } from '../../src/cluster/cluster-rows.js';
import type { Namespace } from '../../src/model/namespace.js';
import { indexOf } from '../../src/state/snapshot.js';
import { openState, type State } from '../../src/state/state.js';
import { getRow } from '../../src/state/table.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { Storage } from '../../src/storage/storage.js';
import { createFakeClock } from '../support/fake-clock.js';

function space(name: string, index: number): Namespace {
  return createNamespace(name, '', index, (text) => text);
}

async function open(storage: Storage = createMemoryStorage()): Promise<State> {
  return openState({ storage, clock: createFakeClock() });
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

  it('is left as it was when the storage refuses, and wakes nobody', async () => {
    const storage = createMemoryStorage();
    let isFull = true;
    const state = await open({
      ...storage,
      commit: (batch) => (isFull ? Promise.reject(new Error('disk full')) : storage.commit(batch)),
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
    const storage = createMemoryStorage();
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
