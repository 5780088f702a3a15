import { QueryError } from '../request/query-error.js';

/** The rows that a list has found so far. */
export interface RowReservation {
  /** There are this many by now. @throws QueryError `too-busy` where there is no room for them. */
  grow(count: number): void;
  /** They are not needed any more. */
  readonly release: () => void;
}

/** The rows that all lists together hold while they are searched and read. */
export interface RowBudget {
  reserve(): RowReservation;
  readonly count: number;
}

/** Most rows that are held. Stops clients from filling the memory with long lists of which no two are the same. */
const maxBufferedRows = 10_000_000;
/** Rows that every list may buffer, so that pages and short lists always succeed. */
const alwaysFree = 10_000;

export function createRowBudget(maxRows = maxBufferedRows, free = alwaysFree): RowBudget {
  let reserved = 0;
  return {
    reserve() {
      let own = 0;
      return {
        grow(count) {
          const needed = Math.max(0, count - free);
          if (needed > own && reserved + needed - own > maxRows) {
            throw new QueryError('too-busy', '', 'Too many long lists are being read; try again later');
          }
          reserved += needed - own;
          own = needed;
        },
        release() {
          reserved -= own;
          own = 0;
        },
      };
    },
    get count() {
      return reserved;
    },
  };
}
