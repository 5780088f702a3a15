import type { LiteralText } from './literal-text.js';

/** The offset in a text of a place in its source; null for places outside of it. */
export function offsetIn(literal: LiteralText, place: number): number | null {
  const { length } = literal.text;
  if (place < literal.sourceAt(0) || place > literal.sourceAt(length)) return null;
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (literal.sourceAt(middle) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
