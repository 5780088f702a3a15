import { compareKeys, type Key, type Order } from '../../list/index.js';
import type { IndexKey, KeyRange } from '../../../filter/compile/frame/key-range.js';
import { stringKey } from '../../table/key.js';
import { groupRows, type SecondaryIndex } from '../../table/secondary-index.js';
import type { SortField } from '../../table/sort-field.js';
import { integerText, stringPositionOf } from '../../table/text-order.js';
import {
  countRows,
  prefixRange,
  scanPieces,
  scanRows,
  sortRows,
  type Range,
  type SortedRows,
} from '../../table/sorted-rows.js';

/** Limits of the work for one page. */
export interface AccessPathBounds {
  /** Maximum number of merged ranges. Each row read is compared with the current row of every range. */
  readonly maxMerged: number;
  /** Maximum number of rows sorted into another order. */
  readonly maxSorted: number;
}

/** Rows in list order: a whole table or a part of it. */
export interface OrderedRange<T> {
  readonly rows: SortedRows<T>;
  /** Number of rows. */
  readonly size: number;
  /** Converts a range of the list to a range of these rows; null if both are the same. */
  readonly within: ((range: Range) => Range) | null;
}

/** Returns all rows as one range in list order. */
export function rangeOf<T>(rows: SortedRows<T>): OrderedRange<T> {
  return { rows, size: rows.size, within: null };
}

/**
 * Returns the rows in ranges of a field, in list order. Rows with the same string value are in list order already; a few other
 * rows are sorted. Null if there are too many values and too many rows, or if there are not fewer rows than `max`.
 */
export function sortedRanges<T>(
  index: SecondaryIndex<T>,
  order: Order<T>,
  ranges: readonly KeyRange[],
  max: number,
  { maxSorted, maxMerged }: AccessPathBounds,
): readonly OrderedRange<T>[] | null {
  const { sort } = index.declaration;
  if (sort === undefined) return null;
  const rows = groupRows(index);
  const positions = ranges.map((range) => rangeInOrder(sort, range));
  if (!hasFewer(rows, positions, max)) return null;
  const few = fewRows(rows, positions, maxSorted);
  if (few !== null) return [rangeOf(sortRows(order, few))];
  return order.index === undefined ? valuesWithin(rows, sort, positions, maxMerged) : null;
}

/** Whether the ranges have fewer rows than `max`. Counts no further. */
function hasFewer<T>(rows: SortedRows<T>, ranges: readonly Range[], max: number): boolean {
  let count = 0;
  for (const range of max === Infinity ? [] : ranges) {
    for (const { from, to } of scanPieces(rows, range, false)) if ((count += to - from) >= max) return false;
  }
  return true;
}

/** Returns the rows in the ranges; null if there are more than `max`. */
function fewRows<T>(rows: SortedRows<T>, ranges: readonly Range[], max: number): readonly T[] | null {
  const found: T[] = [];
  for (const range of ranges) {
    for (const row of scanRows(rows, range, false)) if (found.push(row) > max) return null;
  }
  return found;
}

/** Returns one range per value; null if there are too many values. */
function valuesWithin<T>(
  rows: SortedRows<T>,
  { values, read }: SortField<T>,
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
      const position = values.positionOf(read(row));
      const [from, after] = [cut(position, true), cut(position, false)];
      const placeOf = ({ text }: Key): Key => ({ ...from, text: from.text + text });
      orderedRanges.push({
        rows,
        size: countRows(rows, { from, to: after }),
        within: (range) => ({
          from: range.from === null ? from : placeOf(range.from),
          to: range.to === null ? after : placeOf(range.to),
        }),
      });
      at = after;
    }
  }
  return orderedRanges;
}

/** Returns the rows in ranges of the field that forms the key after a prefix. Null if there are too many ranges. */
export function keyRangesOf<T>(
  rows: SortedRows<T>,
  prefix: string,
  ranges: readonly KeyRange[],
  { maxMerged }: AccessPathBounds,
): readonly OrderedRange<T>[] | null {
  if (ranges.length > maxMerged) return null;
  const position = (key: IndexKey): Key => stringKey(`${prefix}${textOfKey(key)}`);
  return ranges.map(({ from, to, fromInclusive, toInclusive }) => {
    // The smallest string greater than a given one is that string followed by NUL.
    const low = from === null ? null : position(fromInclusive ? from : `${textOfKey(from)}\0`);
    const high = to === null ? null : position(to);
    const within = narrowTo({ from: low, to: high, toExclusive: !toInclusive });
    return { rows, size: countRows(rows, within(prefixRange(prefix))), within };
  });
}

/** Returns a key as tables store it. */
function textOfKey(key: IndexKey): string {
  return typeof key === 'string' ? key : integerText(key as number | bigint);
}

/** Returns the rows in ranges of the field by which they are sorted. Null if there are too many ranges. */
export function valueRangesOf<T>(
  rows: SortedRows<T>,
  sort: SortField<T>,
  ranges: readonly KeyRange[],
  { maxMerged }: AccessPathBounds,
): readonly OrderedRange<T>[] | null {
  if (ranges.length > maxMerged) return null;
  return ranges.map((range) => ({ rows, size: rows.size, within: narrowTo(rangeInOrder(sort, range)) }));
}

/** Returns a function that intersects a range with the given one. */
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

/** Returns the positions of a range of keys. Rows without a key, which are at the end, are excluded. */
function rangeInOrder<T>(
  { values }: SortField<T>,
  { from, to, fromInclusive, toInclusive }: KeyRange,
): Range {
  return {
    from: from === null ? null : cut(values.positionOfKey(from), fromInclusive),
    to: to === null ? cut(values.end, true) : cut(values.positionOfKey(to), !toInclusive),
  };
}

/** Returns the position directly before or after all rows with a value. */
function cut(position: number | bigint | string, isBefore: boolean): Key {
  // No row has an empty string, so an empty string sorts before all rows with the same number.
  if (typeof position !== 'string') return stringKey('', isBefore ? position : BigInt(position) + 1n);
  const start = stringPositionOf(position);
  return stringKey(isBefore ? start : `${start}\udfff`);
}
