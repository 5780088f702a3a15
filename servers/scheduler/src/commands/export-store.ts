import { writeJson } from '@tamis/http';
import type { Clock } from '../clock.js';
import { exportedEntry, rowsToExport } from '../state/exported-rows.js';
import { openState } from '../state/state.js';
import type { Storage } from '../storage/storage.js';

/** The lines of an export. Closes the store at the end. */
export async function* exportStore(storage: Storage, clock: Clock): AsyncGenerator<string> {
  const state = await openState({ storage, clock });
  try {
    for (const row of rowsToExport(state.snapshot())) yield writeJson(exportedEntry(row));
  } finally {
    await state.close();
  }
}
