import { onAbort } from '../../../runtime/on-abort.js';

/** Waits for work that cannot be cancelled, such as a function of the program: the caller can stop waiting. */
export type RaceWithAbort = <R>(work: Promise<R>, signal: AbortSignal | null) => Promise<R>;

/** Returns a function that rejects with the reason of the signal or of `closed`, if either aborts before the work is done. */
export function createRaceWithAbort(closed: AbortSignal): RaceWithAbort {
  // One listener for all waits: an event target searches its existing listeners at each addition.
  const leaves = new Set<() => void>();
  closed.addEventListener('abort', () => {
    for (const leave of leaves) leave();
  });
  return (work, signal) =>
    new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        leaves.delete(end);
        removeAbort();
        finish();
      };
      const end = (): void => settle(() => reject(closed.reason as Error));
      const abort = (): void => settle(() => reject(signal?.reason as Error));
      leaves.add(end);
      const removeAbort = onAbort(signal, abort);
      work.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error as Error)),
      );
      if (closed.aborted) end();
      else if (signal?.aborted === true) abort();
    });
}
