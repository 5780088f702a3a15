import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import type { AppendOutcome, Batch } from '@tamis/scheduler-state/storage/storage.js';
import { watchStorage, type StoreHealth } from '@tamis/scheduler-state/storage/watch-storage.js';

const batch: Batch = { index: 1, puts: [], deletes: [], tableIndexes: {} };

/** A store on a disk that is full when the test says so. */
function breakable(): {
  commit: () => Promise<AppendOutcome>;
  report: (kind: 'committed' | 'unknown') => void;
  health: StoreHealth;
  fail: (reason: string | null) => void;
  advance: (milliseconds: number) => void;
  readonly probes: number;
} {
  let now = 0;
  let probes = 0;
  let broken: string | null = null;
  let outcome: 'committed' | 'unknown' = 'committed';
  const check = async (): Promise<void> => {
    if (broken !== null) throw new StorageError('write-failed', `/secret/place: ${broken}`, null, broken);
  };
  const append = async (): Promise<AppendOutcome> => {
    await check();
    return { kind: outcome };
  };
  const { storage, health } = watchStorage(
    {
      ...createMemoryStorage(),
      append,
      probe: () => ((probes += 1), check()),
    },
    () => now,
  );
  return {
    commit: () => storage.append({ id: 'a', term: 1, after: '', batch }),
    report: (kind) => void (outcome = kind),
    health,
    fail: (reason) => void (broken = reason),
    advance: (milliseconds) => void (now += milliseconds),
    get probes() {
      return probes;
    },
  };
}

describe('the health of a store', () => {
  it('is determined by a trial write if there are no writes', async () => {
    const store = breakable();
    expect(await store.health.problem()).toBeNull();
    store.fail('no room is left on the disk');
    store.advance(1_000);
    expect(await store.health.problem()).toBe('no room is left on the disk');
    store.fail(null);
    store.advance(1_000);
    expect(await store.health.problem()).toBeNull();
  });

  it('is known from a write at once', async () => {
    const store = breakable();
    store.fail('the disk is read-only');
    await expect(store.commit()).rejects.toThrow(StorageError);
    expect(await store.health.problem()).toBe('the disk is read-only');
    expect(store.probes).toBe(0);
    store.fail(null);
    await store.commit();
    expect(await store.health.problem()).toBeNull();
    expect(store.probes).toBe(0);
  });

  it('is known from a write of which it does not say what has become', async () => {
    const store = breakable();
    store.report('unknown');
    await store.commit();
    expect(await store.health.problem()).toBe('it does not say what it has kept');
    store.report('committed');
    await store.commit();
    expect(await store.health.problem()).toBeNull();
  });

  it('is looked at once a second at most, by however many', async () => {
    const store = breakable();
    await Promise.all(Array.from({ length: 20 }, () => store.health.problem()));
    store.advance(999);
    await store.health.problem();
    expect(store.probes).toBe(1);
    store.advance(1);
    await Promise.all(Array.from({ length: 20 }, () => store.health.problem()));
    expect(store.probes).toBe(2);
  });
});
