/** A range of keys of an ordered index. */
export interface KeyRange<Key = IndexKey> {
  /** The lower bound; null for none. */
  readonly from: Key | null;
  /** The upper bound; null for none. */
  readonly to: Key | null;
  /** Whether the range includes `from`. */
  readonly fromInclusive: boolean;
  readonly toInclusive: boolean;
}

/**
 * A key of an ordered index: a number or a string, or the object that an {@link OrderedIndex} creates for a time, an address or a
 * version.
 */
export type IndexKey = string | number | bigint | object;

/** The order of keys: negative, zero or positive. */
export type CompareKeys = (a: IndexKey, b: IndexKey) => number;

/** Keys in ascending, disjoint ranges; empty if there is no such key. */
export type KeySet = readonly KeyRange[];

export function atKey(key: IndexKey): KeyRange {
  return { from: key, to: key, fromInclusive: true, toInclusive: true };
}

export function keysFrom(from: IndexKey, fromInclusive: boolean): KeyRange {
  return { from, to: null, fromInclusive, toInclusive: false };
}

export function keysTo(to: IndexKey, toInclusive: boolean): KeyRange {
  return { from: null, to, fromInclusive: false, toInclusive };
}

/** Returns the intersection of two sets, in time linear in the number of ranges. */
export function intersectKeys(a: KeySet, b: KeySet, compare: CompareKeys): KeySet {
  const both: KeyRange[] = [];
  let [atA, atB] = [0, 0];
  for (;;) {
    const [left, right] = [a[atA], b[atB]];
    if (left === undefined || right === undefined) return both;
    const begin = compareBegins(left, right, compare) > 0 ? left : right;
    const isLeftFirst = compareEnds(left, right, compare) < 0;
    const end = isLeftFirst ? left : right;
    const { from, fromInclusive } = begin;
    const range = { from, to: end.to, fromInclusive, toInclusive: end.toInclusive };
    if (!isEmpty(range, compare)) both.push(range);
    if (isLeftFirst) atA += 1;
    else atB += 1;
  }
}

/** Returns the union of ranges, which may overlap and be in any order. */
export function uniteKeys(ranges: readonly KeyRange[], compare: CompareKeys): KeySet {
  const united: KeyRange[] = [];
  for (const range of [...ranges].sort((a, b) => compareBegins(a, b, compare))) {
    const last = united.at(-1);
    if (last === undefined || !meets(last, range, compare)) united.push(range);
    else if (compareEnds(last, range, compare) < 0) {
      united[united.length - 1] = { ...last, to: range.to, toInclusive: range.toInclusive };
    }
  }
  // Copied, because an array that has grown has room for 17 elements, and filter sets keep thousands of them.
  return united.slice();
}

/** Compares the lower bounds of two ranges: negative, zero or positive. */
export function compareBegins(a: KeyRange, b: KeyRange, compare: CompareKeys): number {
  if (a.from === null || b.from === null) return Number(b.from === null) - Number(a.from === null);
  return compare(a.from, b.from) || Number(b.fromInclusive) - Number(a.fromInclusive);
}

/** Compares the upper bounds of two ranges: negative, zero or positive. */
export function compareEnds(a: KeyRange, b: KeyRange, compare: CompareKeys): number {
  if (a.to === null || b.to === null) return Number(a.to === null) - Number(b.to === null);
  return compare(a.to, b.to) || Number(a.toInclusive) - Number(b.toInclusive);
}

/** Whether a range ends before a key. */
export function endsBefore({ to, toInclusive }: KeyRange, key: IndexKey, compare: CompareKeys): boolean {
  if (to === null) return false;
  const sign = compare(to, key);
  return sign < 0 || (sign === 0 && !toInclusive);
}

/** Whether a range begins after a key. */
export function beginsAfter({ from, fromInclusive }: KeyRange, key: IndexKey, compare: CompareKeys): boolean {
  if (from === null) return false;
  const sign = compare(from, key);
  return sign > 0 || (sign === 0 && !fromInclusive);
}

function isEmpty({ from, to, fromInclusive, toInclusive }: KeyRange, compare: CompareKeys): boolean {
  if (from === null || to === null) return false;
  const sign = compare(from, to);
  return sign > 0 || (sign === 0 && !(fromInclusive && toInclusive));
}

/** Whether two ranges overlap or adjoin. `next` must not begin before `first`. */
function meets(first: KeyRange, next: KeyRange, compare: CompareKeys): boolean {
  if (first.to === null || next.from === null) return true;
  const sign = compare(first.to, next.from);
  return sign > 0 || (sign === 0 && (first.toInclusive || next.fromInclusive));
}
