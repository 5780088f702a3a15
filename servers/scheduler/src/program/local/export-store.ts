import { writeJson } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { exportedEntry, rowsToExport } from '@tamis/scheduler-state/state/exported-rows.js';
import { openState } from '@tamis/scheduler-state/state/state.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';

/** Yields the lines of an export. Closes the store at the end. */
export async function* exportStore(storage: Storage, clock: Clock): AsyncGenerator<string> {
  const state = await openState({ storage, clock });
  try {
    for (const row of rowsToExport(state.snapshot())) yield writeJson(exportedEntry(row));
  } finally {
    await state.close();
  }
}
