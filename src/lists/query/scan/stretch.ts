import { compareKeys, keyOf, type Key, type Order } from '../../list/index.js';
import type { IndexKey, KeyRange } from '../../../filter/compile/frame/key-range.js';
import { textKey } from '../../table/key.js';
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
export interface Stretch<T> {
  readonly rows: SortedRows<T>;
  /** How many there are. */
  readonly size: number;
  /** The positions of the rows of a range of the list; null if it is the same range. */
  readonly within: ((range: Range) => Range) | null;
}

/** All rows, in the order of the list. */
export function stretchOf<T>(rows: SortedRows<T>): Stretch<T> {
  return { rows, size: rows.size, within: null };
}

/**
 * The rows in ranges of a field, in the order of the list: rows with one string value are in it already, few rows are sorted into
 * it. Null if there are too many of both.
 */
export function sortedStretches<T>(
  rows: SortedRows<T>,
  order: Order<T>,
  ranges: readonly KeyRange[],
  { maxSorted, maxMerged }: AccessPathBounds,
): readonly Stretch<T>[] | null {
  const places = ranges.map(sortedRange);
  const few = fewRows(rows, places, maxSorted);
  if (few !== null) return [stretchOf(sortRows(order, few))];
  return order.index === undefined ? valuesWithin(rows, places, maxMerged) : null;
}

/** Null where there are too many. */
function fewRows<T>(rows: SortedRows<T>, ranges: readonly Range[], most: number): readonly T[] | null {
  const found: T[] = [];
  for (const range of ranges) {
    for (const row of scanRows(rows, range, false)) if (found.push(row) > most) return null;
  }
  return found;
}

/** One stretch for each value; null where there are too many. */
function valuesWithin<T>(
  rows: SortedRows<T>,
  ranges: readonly Range[],
  most: number,
): readonly Stretch<T>[] | null {
  const stretches: Stretch<T>[] = [];
  for (const { from, to } of ranges) {
    for (let at = from; ;) {
      const [piece] = scanPieces(rows, { from: at, to }, false);
      const row = piece?.rows[piece.from];
      if (row === undefined) break;
      if (stretches.length === most) return null;
      const { index } = keyOf(rows.order, row);
      const behind = cut(index, false);
      const whole = { from: textKey('', index), to: behind };
      stretches.push({
        rows,
        size: countRows(rows, whole),
        within: (range) => ({
          from: range.from === null ? whole.from : textKey(range.from.text, index),
          to: range.to === null ? whole.to : textKey(range.to.text, index),
        }),
      });
      at = behind;
    }
  }
  return stretches;
}

/** The rows in ranges of a field that is the key of the list, after a prefix. Null if there are too many ranges. */
export function keyStretches<T>(
  rows: SortedRows<T>,
  prefix: string,
  ranges: readonly KeyRange[],
  { maxMerged }: AccessPathBounds,
): readonly Stretch<T>[] | null {
  if (ranges.length > maxMerged) return null;
  const place = (text: IndexKey): Key => textKey(`${prefix}${String(text)}`);
  return ranges.map(({ from, to, fromInclusive, toInclusive }) => {
    // The smallest string after another one is that string with a NUL at its end.
    const low = from === null ? null : place(fromInclusive ? from : `${String(from)}\0`);
    const high = to === null ? null : place(to);
    const within = narrowTo({ from: low, to: high, toExclusive: !toInclusive });
    return { rows, size: countRows(rows, within(prefixRange(prefix))), within };
  });
}

/** The rows in ranges of the integers that sort them. Null where there are too many ranges, or texts sort them. */
export function rangeStretches<T>(
  rows: SortedRows<T>,
  ranges: readonly KeyRange[],
  { maxMerged }: AccessPathBounds,
): readonly Stretch<T>[] | null {
  if (ranges.length > maxMerged || !ranges.every(isOfIntegers)) return null;
  return ranges.map((range) => ({ rows, size: rows.size, within: narrowTo(sortedRange(range)) }));
}

function isOfIntegers({ from, to }: KeyRange): boolean {
  return typeof from !== 'string' && typeof to !== 'string';
}

/** The rows whose places begin with one of these texts. Null where there are too many of them. */
export function textStretches<T>(
  rows: SortedRows<T>,
  beginnings: readonly string[],
  { maxMerged }: AccessPathBounds,
): readonly Stretch<T>[] | null {
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
    throw new TypeError('Only fields of integers are sorted');
  return textKey('', isBefore ? key : BigInt(key) + 1n);
}
