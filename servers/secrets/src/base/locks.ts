/** Locks by key: a task runs when those of its key that came before have ended; other keys do not wait. */
export type Locks = <Value>(key: string, task: () => Promise<Value>) => Promise<Value>;

export function createLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = tails.get(key) ?? Promise.resolve();
    const run = before.then(task, task);
    tails.set(key, run);
    try {
      return await run;
    } finally {
      // The last one out removes the entry: keys come from callers and must not pile up.
      if (tails.get(key) === run) tails.delete(key);
    }
  };
}
