/** A clock, which tests replace by a fake one. */
export interface Clock {
  /** Milliseconds of a monotonic clock with an arbitrary origin. */
  readonly now: () => number;
  /** Calls `action` once after `milliseconds`; the function returned cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
}

/** The monotonic clock of this machine. Like the clock of etcd, it does not advance while the machine sleeps. */
export const monotonicClock: Clock = Object.freeze({
  now: () => performance.now(),
  after(milliseconds: number, action: () => void) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
});

/** Resolves after `milliseconds`, or immediately when the signal is aborted. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end);
  });
}
