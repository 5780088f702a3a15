/** A list of listeners, called in the order of registration. */
export interface Listeners<A extends readonly unknown[]> {
  /** Registers a listener. A listener registered twice is called twice. @returns a function that removes it */
  readonly subscribe: (listener: (...told: A) => void) => () => void;
  /** Calls all listeners registered before the call, including those that one of them removes. */
  readonly tell: (...told: A) => void;
}

export function createListeners<A extends readonly unknown[] = []>(): Listeners<A> {
  const listeners = new Set<(...told: A) => void>();
  return {
    subscribe(listener) {
      const own = (...told: A): void => listener(...told);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell(...told) {
      for (const listener of [...listeners]) listener(...told);
    },
  };
}
