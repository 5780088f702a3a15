/** How many code points a text has. Half of a surrogate pair counts as one. */
export function countCodePoints(text: string): number {
  return text.length - countPairs(text, text.length);
}

/**
 * As {@link countCodePoints}, for a question about the number `most` and what lies around it: a text that has more is read no
 * further than that shows, and some number greater than `most` is returned for it. So the work is bounded by `most`.
 */
export function countCodePointsUpTo(text: string, most: number): number {
  const { length } = text;
  // Each code point has one unit or two.
  if (length > 2 * most + 1) return most + 1;
  return length - countPairs(text, length);
}

function countPairs(text: string, end: number): number {
  let pairs = 0;
  for (let at = 1; at < end; at += 1) {
    if (!isLow(text.charCodeAt(at)) || !isHigh(text.charCodeAt(at - 1))) continue;
    pairs += 1;
    at += 1;
  }
  return pairs;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The place behind the code point that stands at a place of a text. */
export function nextCodePoint(text: string, at: number): number {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? at + 2 : at + 1;
}

/** The place of the code point that ends before a place of a text. */
export function previousCodePoint(text: string, at: number): number {
  return at > 1 && isLow(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2)) ? at - 2 : at - 1;
}
