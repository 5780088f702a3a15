/** How many copies of each list were handed out. Counters only: which copy a filter got decides nothing but speed. */
const handedOut = new WeakMap<readonly unknown[], number>();

/**
 * The next copy of a piece of code, in turn. A filter that gets one to itself has inline caches of its own; once there
 * are more live filters than copies, filters share them and lose some speed.
 */
export function takeCopy<T>(copies: readonly T[]): T {
  const count = handedOut.get(copies) ?? 0;
  handedOut.set(copies, count + 1);
  // The generated lists are never empty.
  return copies[count % copies.length] as T;
}
