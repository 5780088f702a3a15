import type { Key } from '../list/index.js';

/** Returns the position of a string in an order without numbers, or of the first row with that number. */
export function stringKey(text: string, index: number | bigint = 0): Key {
  return { index, text };
}
