/**
 * Stores the current element of a collection expression for its body. Each collection of a filter has its own. Callers save and
 * restore it, so that a getter of the row may evaluate the same filter again.
 */
export interface LoopVariable {
  /** The element of a list or the value of a map. */
  value: unknown;
  /** Its index or key. */
  key: string | number;
  /** The path of the collection that is being iterated, for error messages. */
  readonly path: () => readonly string[];
}

export function createLoopVariable(path: () => readonly string[]): LoopVariable {
  return { value: undefined, key: 0, path };
}
