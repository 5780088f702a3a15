import type { Key } from '../list/index.js';

/** The place of a text in an order without numbers, or of the first row with that number. */
export function stringKey(text: string, index: number | bigint = 0): Key {
  return { index, text };
}
