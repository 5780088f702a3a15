/** Locks by key. A task runs after all earlier tasks with its key; other keys do not wait. */
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
      // The last task removes the entry: keys come from callers and must not accumulate.
      if (tails.get(key) === run) tails.delete(key);
    }
  };
}
