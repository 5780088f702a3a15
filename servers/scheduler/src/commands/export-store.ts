import type { Clock } from '../clock.js';
import { createIntern } from '../model/intern.js';
import { scanRows, wholeRange } from '../state/sorted-rows.js';
import { openState } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Storage } from '../storage/storage.js';
import { exportedKinds, lineOfRow } from './exported-kinds.js';

/** The lines of an export, each with its newline. Closes the store at the end. */
export async function* exportStore(storage: Storage, clock: Clock): AsyncGenerator<string> {
  const state = await openState({ storage, clock });
  const intern = createIntern();
  try {
    const { tables } = state.snapshot();
    for (const [kind, table] of exportedKinds) {
      // In the order of the lists of an agent, so that both exports are the same text.
      const { primary, indexes } = tables[table] as Table<object>;
      const rows = indexes['created'] ?? primary;
      for (const row of scanRows(rows, wholeRange, false)) yield lineOfRow(kind, row, intern);
    }
  } finally {
    await state.close();
  }
}
