/** Runs tasks one after the other for each key. Tasks with different keys do not wait for each other. */
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
      // The last task removes the entry. Keys come from callers, so they must not accumulate.
      if (tails.get(key) === run) tails.delete(key);
    }
  };
}
