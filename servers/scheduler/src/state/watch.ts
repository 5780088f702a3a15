import type { Clock } from '../clock.js';
import type { TableName } from './tables.js';

/** Who wants to know when a table changes. */
export interface Watches {
  /** Calls `wake` once, after the next change of one of the tables; the function returned withdraws it. */
  watch(tables: readonly TableName[], wake: () => void): () => void;
  notify(changed: ReadonlySet<TableName>): void;
}

/**
 * Most waiters woken before others get a turn. Ten thousand blocked clients that all answer at once would otherwise
 * hold up everybody else for the time of ten thousand pages.
 */
const wokenAtOnce = 16;

export function createWatches(clock: Pick<Clock, 'soon'>): Watches {
  const watchers = new Map<TableName, Set<() => void>>();
  const due = new Set<() => void>();
  let draining = false;

  function drain(): void {
    let count = 0;
    for (const wake of due) {
      if (count === wokenAtOnce) break;
      due.delete(wake);
      wake();
      count += 1;
    }
    draining = due.size > 0;
    if (draining) clock.soon(drain);
  }

  return {
    watch(tables, wake) {
      const once = (): void => {
        withdraw();
        wake();
      };
      const withdraw = (): void => {
        due.delete(once);
        for (const name of tables) watchers.get(name)?.delete(once);
      };
      for (const name of tables) {
        const set = watchers.get(name) ?? new Set();
        watchers.set(name, set.add(once));
      }
      return withdraw;
    },
    notify(changed) {
      for (const name of changed) {
        const set = watchers.get(name);
        if (set === undefined) continue;
        for (const wake of set) due.add(wake);
        set.clear();
      }
      if (!draining && due.size > 0) drain();
    },
  };
}
