/** Those who are told of something, in the order in which they asked. */
export interface Listeners<A extends readonly unknown[]> {
  /** Tells `listener` from now on. Who asks twice is told twice. @returns ends it */
  readonly subscribe: (listener: (...told: A) => void) => () => void;
  /** Tells all who have asked before the call, also those whom one of them takes away. */
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
