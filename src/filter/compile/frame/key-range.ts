/** A stretch of the keys of an ordered index. */
export interface KeyRange<Key = IndexKey> {
  /** Where it begins; null for the least key. */
  readonly from: Key | null;
  /** Where it ends; null for the greatest key. */
  readonly to: Key | null;
  /** Whether `from` itself is within. */
  readonly fromInclusive: boolean;
  readonly toInclusive: boolean;
}

/** A key of an ordered index: a number or a text, or what an {@link OrderedIndex} makes of a time, an address or a version. */
export type IndexKey = string | number | bigint | object;

/** The order of keys: negative, zero or positive. */
export type CompareKeys = (a: IndexKey, b: IndexKey) => number;

/** Keys in ascending stretches that do not meet; none where there is no such key. */
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

/** The keys that are in both sets. Linear in their stretches. */
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

/** The keys that are in one of the ranges, in any order. */
export function uniteKeys(ranges: readonly KeyRange[], compare: CompareKeys): KeySet {
  const united: KeyRange[] = [];
  for (const range of [...ranges].sort((a, b) => compareBegins(a, b, compare))) {
    const last = united.at(-1);
    if (last === undefined || !meets(last, range, compare)) united.push(range);
    else if (compareEnds(last, range, compare) < 0) {
      united[united.length - 1] = { ...last, to: range.to, toInclusive: range.toInclusive };
    }
  }
  return united;
}

/** The order in which ranges begin. */
export function compareBegins(a: KeyRange, b: KeyRange, compare: CompareKeys): number {
  if (a.from === null || b.from === null) return Number(b.from === null) - Number(a.from === null);
  return compare(a.from, b.from) || Number(b.fromInclusive) - Number(a.fromInclusive);
}

/** The order in which ranges end. */
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

/** Whether a range begins behind a key. */
export function beginsAfter(
  { from, fromInclusive }: KeyRange,
  key: IndexKey,
  compare: CompareKeys,
): boolean {
  if (from === null) return false;
  const sign = compare(from, key);
  return sign > 0 || (sign === 0 && !fromInclusive);
}

function isEmpty({ from, to, fromInclusive, toInclusive }: KeyRange, compare: CompareKeys): boolean {
  if (from === null || to === null) return false;
  const sign = compare(from, to);
  return sign > 0 || (sign === 0 && !(fromInclusive && toInclusive));
}

/** Whether no key lies between the end of a range and the beginning of one that does not begin before it. */
function meets(first: KeyRange, next: KeyRange, compare: CompareKeys): boolean {
  if (first.to === null || next.from === null) return true;
  const sign = compare(first.to, next.from);
  return sign > 0 || (sign === 0 && (first.toInclusive || next.fromInclusive));
}
