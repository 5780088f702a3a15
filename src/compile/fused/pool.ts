/** Where a filter takes its copies of generated code from. Which ones it gets decides nothing but speed. */
export interface Copies {
  take<T>(copies: readonly T[]): T;
}

/** The first copy of everything: what filters use that have not proven to be worth more. */
export const sharedCopies: Copies = {
  // The generated lists are never empty.
  take: <T>(copies: readonly T[]) => copies[0] as T,
};

/** How many of the other copies of each list were handed out. */
const handedOut = new WeakMap<readonly unknown[], number>();

/**
 * The other copies, in turn. A filter that gets one to itself has inline caches of its own; once there are more such
 * filters than copies they share them, and lose some speed.
 */
export const privateCopies: Copies = {
  take<T>(copies: readonly T[]): T {
    const count = handedOut.get(copies) ?? 0;
    handedOut.set(copies, count + 1);
    return copies[copies.length === 1 ? 0 : 1 + (count % (copies.length - 1))] as T;
  },
};
