const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls a function when the signal is aborted; returns a function that cancels that. One event listener serves all callers: an
 * event target compares each new listener with all of those that it has.
 */
export function onAbort(signal: AbortSignal | null | undefined, listener: () => void): () => void {
  if (signal === null || signal === undefined) return () => undefined;
  const known = listeners.get(signal);
  const all = known ?? new Set();
  if (known === undefined) {
    listeners.set(signal, all);
    signal.addEventListener('abort', () => {
      for (const each of all) each();
    });
  }
  all.add(listener);
  return () => void all.delete(listener);
}
