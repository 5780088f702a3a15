import { writeJson } from '@tamis/http';
import type { Clock } from '../clock.js';
import { scanRows, wholeRange } from '../state/ordered.js';
import { openState } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Storage } from '../storage/storage.js';
import { exportedKinds } from './exported-kinds.js';

/** The lines of an export, each with its newline. Closes the store at the end. */
export async function* exportStore(storage: Storage, clock: Clock): AsyncGenerator<string> {
  const state = await openState({ storage, clock });
  try {
    const { tables } = state.snapshot();
    for (const [kind, table] of exportedKinds) {
      const { primary } = tables[table] as Table<object>;
      for (const object of scanRows(primary, wholeRange, false)) yield `${writeJson({ kind, object })}\n`;
    }
  } finally {
    await state.close();
  }
}
