import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeBatches } from '@tamis/scheduler-state/state/merge-batches.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { Batch, Storage } from '@tamis/scheduler-state/storage/storage.js';
import { commit, readContents } from '../support/storage-log.js';

const place = fc.record({ table: fc.constantFrom('a', 'b'), key: fc.constantFrom('x', 'y', 'z', 'a x', '') });
const change = fc.record({ place, row: fc.option(fc.record({ at: fc.nat() })) });

/** Batches as transactions make them: at most one change of a key. */
const batches = fc
  .array(fc.uniqueArray(change, { maxLength: 5, selector: (one) => JSON.stringify(one.place) }))
  .map((lists) =>
    lists.map((changes, at): Batch => ({
      index: at + 1,
      puts: changes.flatMap(({ place: where, row }) => (row === null ? [] : [{ ...where, row }])),
      deletes: changes.flatMap(({ place: where, row }) => (row === null ? [where] : [])),
      tableIndexes: Object.fromEntries(changes.map(({ place: where }) => [where.table, at + 1])),
    })),
  );

async function contentsOf(storage: Storage): Promise<object> {
  const { index, tableIndexes, rows } = await readContents(storage);
  return { index, tableIndexes, rows };
}

describe('batches that share a commit', () => {
  it('have the same effect as applying them in order', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (list) => {
        const apart = createMemoryStorage();
        for (const batch of list) await commit(apart, batch);
        const together = createMemoryStorage();
        const merged = mergeBatches(list);
        if (merged !== null) await commit(together, merged);
        expect(await contentsOf(together)).toEqual(await contentsOf(apart));
        const places = [...(merged?.puts ?? []), ...(merged?.deletes ?? [])].map(({ table, key }) => [
          table,
          key,
        ]);
        expect(new Set(places.map((one) => JSON.stringify(one))).size).toBe(places.length);
      }),
    );
  });

  it('are the batch itself when there is one', () => {
    const batch: Batch = { index: 1, puts: [], deletes: [], tableIndexes: {} };
    expect(mergeBatches([batch])).toBe(batch);
    expect(mergeBatches([])).toBeNull();
  });
});
