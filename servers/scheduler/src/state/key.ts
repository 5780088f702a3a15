import type { Order } from 'tamis';

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
  return compareBytes(a.text, b.text);
}

/**
 * Compares by code point, which is how UTF-8 bytes compare and how the engine compares page tokens. `<` would compare
 * UTF-16 units and put an emoji before a full-width letter; rows and tokens must not disagree.
 */
export function compareBytes(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Puts surrogates, which stand for the characters beyond U+FFFF, above all others. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000;
}
