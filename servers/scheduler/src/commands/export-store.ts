import type { Clock } from '../clock.js';
import { createIntern } from '../model/intern.js';
import { exportedResources } from '../model/resources.js';
import { scanRows, wholeRange, type SortedRows } from 'tamis/table';
import { openState } from '../state/state.js';
import type { Storage } from '../storage/storage.js';
import { lineOfRow } from './export-lines.js';

/** The lines of an export, each with its newline. Closes the store at the end. */
export async function* exportStore(storage: Storage, clock: Clock): AsyncGenerator<string> {
  const state = await openState({ storage, clock });
  const intern = createIntern();
  try {
    const { tables } = state.snapshot();
    for (const resource of exportedResources) {
      // In the order of the lists of an agent, so that both exports are the same text.
      const rows = tables[resource.table].listed as unknown as SortedRows<object>;
      for (const row of scanRows(rows, wholeRange, false)) yield lineOfRow(resource, row, intern);
    }
  } finally {
    await state.close();
  }
}
