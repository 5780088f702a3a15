import { QueryError } from '../request/query-error.js';

/** The rows that a list has found so far. */
export interface RowReservation {
  /** Sets the number of reserved rows. @throws QueryError `too-busy` if the budget is exceeded. */
  grow(count: number): void;
  /** Releases the rows. */
  readonly release: () => void;
}

/** Budget of rows that all lists together hold while they search and send them. */
export interface RowBudget {
  reserve(): RowReservation;
  readonly count: number;
}

/** Maximum number of held rows. Prevents clients from filling the memory with many different long lists. */
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
