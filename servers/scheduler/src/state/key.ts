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

/** The engine's order differs from that of the language only where both texts hold units from D800 on. */
const high = /[\ud800-\uffff]/;

/**
 * Sorts in place. A store of a million rows is sorted when it is opened, so it pays to look first: most lists stand in
 * order already, and most texts can be compared by the language itself.
 */
export function sortByKey(keyed: Key[]): void {
  const compare = keyed.some(({ text }) => high.test(text)) ? compareKeys : compareByUnits;
  const isSorted = keyed.every((key, at) => {
    const before = keyed[at - 1];
    return before === undefined || compare(before, key) <= 0;
  });
  if (!isSorted) keyed.sort(compare);
}

function compareByUnits(a: Key, b: Key): number {
  if (a.index < b.index) return -1;
  if (a.index > b.index) return 1;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
