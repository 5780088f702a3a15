import { CloudError } from './cloud-error.js';

/**
 * Returns a function that runs one operation for all concurrent callers with the same key. The operation continues if a caller
 * leaves, so it needs its own timeout. Implemented directly, because packages also cache the result.
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

/** Returns the result of a promise; rejects as soon as the signal aborts. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new CloudError('unreachable', 'the request was given up'));
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
