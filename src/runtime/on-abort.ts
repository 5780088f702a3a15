interface Listeners {
  readonly all: Set<() => void>;
  readonly run: () => void;
}

const known = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls a function when the signal is aborted. Returns a function that cancels that. One event listener serves all callers,
 * because an event target compares each new listener with all existing ones.
 */
export function onAbort(signal: AbortSignal | null | undefined, listener: () => void): () => void {
  if (signal === null || signal === undefined) return () => undefined;
  const { all, run } = known.get(signal) ?? listenTo(signal);
  all.add(listener);
  return () => {
    if (!all.delete(listener) || all.size > 0) return;
    signal.removeEventListener('abort', run);
    known.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const run = (): void => {
    for (const each of all) each();
  };
  const listeners = { all, run };
  known.set(signal, listeners);
  signal.addEventListener('abort', run);
  return listeners;
}
