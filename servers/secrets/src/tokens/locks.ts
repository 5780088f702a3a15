/** Runs the tasks of one key one after the other; tasks of different keys do not wait for each other. */
export function createLocks(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
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
