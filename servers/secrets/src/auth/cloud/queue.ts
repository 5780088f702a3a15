/** Runs operations one after another: what one has read is still true when it writes. */
export type Queue = <Value>(run: () => Promise<Value>) => Promise<Value>;

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    // The failure is the caller's; the queue goes on.
    last = next.catch(() => undefined);
    return next;
  };
}
