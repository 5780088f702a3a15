/** A list of listeners, called in the order of registration. */
export interface Listeners<A extends readonly unknown[]> {
  /** Registers a listener. A listener registered twice is called twice. @returns a function that removes it */
  readonly subscribe: (listener: (...payload: A) => void) => () => void;
  /** Calls all listeners registered before the call, including those that one of them removes. */
  readonly notify: (...payload: A) => void;
}

export function createListeners<A extends readonly unknown[] = []>(): Listeners<A> {
  const listeners = new Set<(...payload: A) => void>();
  return {
    subscribe(listener) {
      const own = (...payload: A): void => listener(...payload);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    notify(...payload) {
      for (const listener of [...listeners]) listener(...payload);
    },
  };
}
