import type { AppendOutcome, Contents, Entry } from './storage.js';

/** The end of a log, stored by a driver with the rows. */
export interface LogHead extends Pick<Contents, 'id' | 'index' | 'tableIndexes'> {
  /** The latest term with an append. */
  readonly term: number;
}

export const emptyHead: LogHead = Object.freeze({ id: '', index: 0, term: 0, tableIndexes: {} });

/** Returns the outcome of an append if known without writing; null if the entry must be written. */
export function judgeEntry(head: LogHead, { id, term, after }: Entry): AppendOutcome | null {
  if (id === head.id) return { kind: 'committed' };
  if (term < head.term) return { kind: 'notLeader', index: head.index };
  if (after !== head.id) return { kind: 'conflict', index: head.index };
  return null;
}

/** Returns the end of the log after an entry. */
export function headAfter(head: LogHead, { id, term, batch }: Entry): LogHead {
  const tableIndexes = { ...head.tableIndexes, ...batch.tableIndexes };
  return { id, index: batch.index, term, tableIndexes };
}
