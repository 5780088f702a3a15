import { QueryError } from '../request/query-error.js';

/** A reservation for the rows that one list has found so far. */
export interface RowReservation {
  /** Sets the number of reserved rows. @throws QueryError `too-busy` if the budget is exceeded. */
  grow(count: number): void;
  /** Releases the rows. */
  readonly release: () => void;
}

/** Maximum number of rows that all lists together buffer while they search and send them. */
export interface RowBudget {
  reserve(): RowReservation;
  readonly count: number;
}

/** Maximum number of buffered rows. Prevents clients from filling the memory with many different long lists. */
const maxBufferedRows = 10_000_000;
/** Number of rows that every list may buffer regardless of the budget, so that pages and short lists always succeed. */
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
