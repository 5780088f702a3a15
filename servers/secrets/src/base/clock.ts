/** A clock, which tests replace by a fake one. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since a fixed moment. Setting the clock does not change it. */
  readonly elapsed: () => number;
  /** Calls `action` once after `milliseconds`; the function returned cancels it. */
  readonly after: (milliseconds: number, action: () => void) => () => void;
}

/** Runs a task repeatedly, never concurrently. The function returned stops this and waits for a running task. */
export function every(
  { after }: Pick<Clock, 'after'>,
  interval: number,
  task: () => Promise<void>,
): () => Promise<void> {
  let running = Promise.resolve();
  let stopped = false;
  let cancel = after(interval, run);
  function run(): void {
    running = task().then(() => {
      if (!stopped) cancel = after(interval, run);
    });
  }
  return async () => {
    stopped = true;
    cancel();
    await running;
  };
}
