import { compareBytewise, type Order } from 'tamis';

/** Where a row stands in an ordered index: by number first, then by the UTF-8 bytes of the text. */
export interface Key {
  readonly index: number | bigint;
  readonly text: string;
}

export function keyOf<T>(order: Order<T>, row: T): Key {
  return { index: order.index?.(row) ?? 0, text: order.text(row) };
}

/** The place of a text in an order without numbers, or of the first row with that number. */
export function textKey(text: string, index: number | bigint = 0): Key {
  return { index, text };
}

export function compareKeys(a: Key, b: Key): number {
  if (a.index < b.index) return -1;
  if (a.index > b.index) return 1;
  // Rows and page tokens must not disagree, so both compare with the engine's order: that of the UTF-8 bytes.
  return compareBytewise(a.text, b.text);
}
