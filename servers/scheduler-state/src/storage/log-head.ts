import type { AppendOutcome, Contents, Entry } from './storage.js';

/** The end of a log, as a driver keeps it beside the rows. */
export interface LogHead extends Pick<Contents, 'id' | 'index' | 'tableIndexes'> {
  /** The latest term that anything was appended in. */
  readonly term: number;
}

export const emptyHead: LogHead = Object.freeze({ id: '', index: 0, term: 0, tableIndexes: {} });

/** The outcome of an append where it is known without writing; null for an entry that is to be written. */
export function judgeEntry(head: LogHead, { id, term, after }: Entry): AppendOutcome | null {
  if (id === head.id) return { kind: 'committed' };
  if (term < head.term) return { kind: 'notLeader', index: head.index };
  if (after !== head.id) return { kind: 'conflict', index: head.index };
  return null;
}

/** The end of the log with an entry behind it. */
export function headAfter(head: LogHead, { id, term, batch }: Entry): LogHead {
  const tableIndexes = { ...head.tableIndexes, ...batch.tableIndexes };
  return { id, index: batch.index, term, tableIndexes };
}
