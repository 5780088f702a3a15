import { compareKeys, keyOf, type Key, type Order } from '../../list/index.js';
import type { IndexKey, KeyRange } from '../../../filter/compile/frame/key-range.js';
import { stringKey } from '../../table/key.js';
import {
  countRows,
  prefixRange,
  scanPieces,
  scanRows,
  sortRows,
  type Range,
  type SortedRows,
} from '../../table/sorted-rows.js';

/** What is too much work for one page. */
export interface AccessPathBounds {
  /** Most stretches whose rows are merged: every row costs a look at each of them. */
  readonly maxMerged: number;
  /** Most rows that are put in another order. */
  readonly maxSorted: number;
}

/** Rows that come in the order of a list: all of a table, or a part. */
export interface OrderedRange<T> {
  readonly rows: SortedRows<T>;
  /** How many there are. */
  readonly size: number;
  /** The positions of the rows of a range of the list; null if it is the same range. */
  readonly within: ((range: Range) => Range) | null;
}

/** All rows, in the order of the list. */
export function rangeOf<T>(rows: SortedRows<T>): OrderedRange<T> {
  return { rows, size: rows.size, within: null };
}

/**
 * The rows in ranges of a field, in the order of the list: rows with one string value are in it already, few rows are sorted into
 * it. Null if there are too many of both.
 */
export function sortedRanges<T>(
  rows: SortedRows<T>,
  order: Order<T>,
  ranges: readonly KeyRange[],
  { maxSorted, maxMerged }: AccessPathBounds,
): readonly OrderedRange<T>[] | null {
  const positions = ranges.map(sortedRange);
  const few = fewRows(rows, positions, maxSorted);
  if (few !== null) return [rangeOf(sortRows(order, few))];
  return order.index === undefined ? valuesWithin(rows, positions, maxMerged) : null;
}

/** Null where there are too many. */
function fewRows<T>(rows: SortedRows<T>, ranges: readonly Range[], max: number): readonly T[] | null {
  const found: T[] = [];
  for (const range of ranges) {
    for (const row of scanRows(rows, range, false)) if (found.push(row) > max) return null;
  }
  return found;
}

/** One stretch for each value; null where there are too many. */
function valuesWithin<T>(
  rows: SortedRows<T>,
  ranges: readonly Range[],
  max: number,
): readonly OrderedRange<T>[] | null {
  const orderedRanges: OrderedRange<T>[] = [];
  for (const { from, to } of ranges) {
    for (let at = from; ;) {
      const [piece] = scanPieces(rows, { from: at, to }, false);
      const row = piece?.rows[piece.from];
      if (row === undefined) break;
      if (orderedRanges.length === max) return null;
      const { index } = keyOf(rows.order, row);
      const after = cut(index, false);
      const whole = { from: stringKey('', index), to: after };
      orderedRanges.push({
        rows,
        size: countRows(rows, whole),
        within: (range) => ({
          from: range.from === null ? whole.from : stringKey(range.from.text, index),
          to: range.to === null ? whole.to : stringKey(range.to.text, index),
        }),
      });
      at = after;
    }
  }
  return orderedRanges;
}

/** The rows in ranges of a field that is the key of the list, after a prefix. Null if there are too many ranges. */
export function keyRangesOf<T>(
  rows: SortedRows<T>,
  prefix: string,
  ranges: readonly KeyRange[],
  { maxMerged }: AccessPathBounds,
): readonly OrderedRange<T>[] | null {
  if (ranges.length > maxMerged) return null;
  const position = (text: IndexKey): Key => stringKey(`${prefix}${String(text)}`);
  return ranges.map(({ from, to, fromInclusive, toInclusive }) => {
    // The smallest string after another one is that string with a NUL at its end.
    const low = from === null ? null : position(fromInclusive ? from : `${String(from)}\0`);
    const high = to === null ? null : position(to);
    const within = narrowTo({ from: low, to: high, toExclusive: !toInclusive });
    return { rows, size: countRows(rows, within(prefixRange(prefix))), within };
  });
}

/** The rows in ranges of the integers that sort them. Null where there are too many ranges, or texts sort them. */
export function valueRangesOf<T>(
  rows: SortedRows<T>,
  ranges: readonly KeyRange[],
  { maxMerged }: AccessPathBounds,
): readonly OrderedRange<T>[] | null {
  if (ranges.length > maxMerged || !ranges.every(isOfIntegers)) return null;
  return ranges.map((range) => ({ rows, size: rows.size, within: narrowTo(sortedRange(range)) }));
}

function isOfIntegers({ from, to }: KeyRange): boolean {
  return typeof from !== 'string' && typeof to !== 'string';
}

/** The rows whose places begin with one of these texts. Null where there are too many of them. */
export function stringRangesOf<T>(
  rows: SortedRows<T>,
  beginnings: readonly string[],
  { maxMerged }: AccessPathBounds,
): readonly OrderedRange<T>[] | null {
  if (beginnings.length > maxMerged) return null;
  return beginnings.map((beginning) => ({
    rows,
    size: rows.size,
    within: narrowTo(prefixRange(beginning)),
  }));
}

/** The part of a range that is in another one. */
function narrowTo({ from, to, toExclusive = false }: Range): (range: Range) => Range {
  return (range) => {
    const start = greater(range.from, from);
    return to === null || (range.to !== null && compareKeys(range.to, to) < 0)
      ? { ...range, from: start }
      : { from: start, to, toExclusive };
  };
}

function greater(a: Key | null, b: Key | null): Key | null {
  if (a === null || b === null) return a ?? b;
  return compareKeys(a, b) > 0 ? a : b;
}

/** The positions of the rows of a range. No row has an empty string, so its position is before all rows with its number. */
function sortedRange({ from, to, fromInclusive, toInclusive }: KeyRange): Range {
  return {
    from: from === null ? null : cut(from, fromInclusive),
    to: to === null ? null : cut(to, !toInclusive),
  };
}

/** The position before all rows with a number, or after them. */
function cut(key: IndexKey, isBefore: boolean): Key {
  if (typeof key !== 'number' && typeof key !== 'bigint')
    throw new TypeError('Only integer fields can be sorted');
  return stringKey('', isBefore ? key : BigInt(key) + 1n);
}
