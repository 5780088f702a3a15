import type { EventLoop } from '../../../runtime/time-slicer.js';

/** Queue of callbacks. A few of them are called per turn of the event loop. */
export interface NotificationQueue {
  /** Adds callbacks. Each is called once, even if added several times before its turn. */
  add(wakes: Iterable<() => void>): void;
  /** Removes a callback. */
  delete(wake: () => void): void;
  /** Starts calling the queued callbacks. The first ones are called synchronously. */
  drain(): void;
}

/**
 * Maximum number of waiters woken per turn. Prevents ten thousand woken clients from blocking all other requests until their
 * pages are computed.
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
