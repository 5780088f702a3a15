import { CloudError } from './cloud-error.js';

/**
 * Runs one operation for all concurrent callers. The operation does not end when one of them leaves, so it must have a deadline
 * of its own. Implemented directly: packages for this keep the result as well, which is not wanted here.
 */
export function createSingleFlight<Value>(): (key: string, run: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Promise<Value>>();
  return (key, run) => {
    const current = running.get(key);
    if (current !== undefined) return current;
    const started = run().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

/** The promise, or a rejection as soon as the caller has left. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new CloudError('unreachable', 'the request was given up'));
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
