import { QueryError } from '../request/query-error.js';

/** The rows that a list has found so far. */
export interface Held {
  /** There are this many by now. @throws QueryError `too-busy` where there is no room for them. */
  grow(count: number): void;
  /** They are not needed any more. */
  readonly release: () => void;
}

/** The rows that all lists together hold while they are searched and read. */
export interface HeldRows {
  hold(): Held;
  readonly count: number;
}

/** Most rows that are held. Stops clients from filling the memory with long lists of which no two are the same. */
const maxHeld = 10_000_000;
/** Rows that every list may buffer, so that pages and short lists always succeed. */
const alwaysFree = 10_000;

export function createHeldRows(most = maxHeld, free = alwaysFree): HeldRows {
  let held = 0;
  return {
    hold() {
      let own = 0;
      return {
        grow(count) {
          const wanted = Math.max(0, count - free);
          if (wanted > own && held + wanted - own > most) {
            throw new QueryError('too-busy', '', 'Too many long lists are being read, try later');
          }
          held += wanted - own;
          own = wanted;
        },
        release() {
          held -= own;
          own = 0;
        },
      };
    },
    get count() {
      return held;
    },
  };
}
