import type { EventLoop } from '../../../runtime/time-slicer.js';

/** Queue of callbacks to call, a few per turn of the event loop. */
export interface NotificationQueue {
  /** Adds callbacks. Each is called once, even if added several times before its turn. */
  add(wakes: Iterable<() => void>): void;
  /** Removes a callback. */
  delete(wake: () => void): void;
  /** Starts calling the queued callbacks; the first ones before it returns. */
  drain(): void;
}

/**
 * Maximum waiters woken before other work gets a turn. Otherwise, waking ten thousand blocked clients would block all other
 * requests for the time of ten thousand pages.
 */
const wokenAtOnce = 16;

export function createNotificationQueue(clock: Pick<EventLoop, 'defer'>): NotificationQueue {
  const due = new Set<() => void>();
  let draining = false;

  function turn(): void {
    let count = 0;
    for (const wake of due) {
      if (count === wokenAtOnce) break;
      due.delete(wake);
      wake();
      count += 1;
    }
    draining = due.size > 0;
    if (draining) clock.defer(turn);
  }

  return {
    add(wakes) {
      for (const wake of wakes) due.add(wake);
    },
    delete: (wake) => void due.delete(wake),
    drain() {
      if (!draining && due.size > 0) turn();
    },
  };
}
