import { compareKeys, keyOf, type Key, type Order } from '../../list/order.js';
import { stringKey } from '../../table/key.js';
import { orderByField, positionText, type SortField } from '../../table/sort-field.js';
import type { Piece } from '../../table/sorted-rows.js';
import {
  endOfText,
  placeInList,
  readInteger,
  readPlaceOfText,
  stringPositionOf,
} from '../../table/text-order.js';
import { rankOfUnit, unitAtRank } from '../../../language/values/utf8-order.js';
import { sortInSteps } from './sort-in-steps.js';
import type { Sort } from '../request/sort-query.js';

/** A requested order of a list, and the direction in which it is read. */
export interface SortOrder<T> {
  readonly order: Order<T>;
  readonly reverse: boolean;
  /** Sorts rows that are in the order of the first field; null if that is already the requested order. */
  readonly partialSort: PartialSort<T> | null;
}

/** A sort order whose keys can be split into the positions of the fields. */
export interface SplitSortOrder<T> extends SortOrder<T> {
  /** Returns the positions in each field and then in the list; only the valid first ones if a key is malformed. */
  readonly positionsAt: (key: Key) => readonly Position[];
}

/** The position of a value in a field. */
type Position = number | bigint | string;

/** Sorts by several fields, given rows in the order of the first field. */
export interface PartialSort<T> {
  readonly order: Order<T>;
  /** Whether the rows must be read in descending order of the first field. */
  readonly isDescending: boolean;
  readonly isSameGroup: (a: T, b: T) => boolean;
  /** Returns the position in the order of the first field at which reading must start for a key; null for the beginning. */
  readonly startOf: (position: Key) => Key | null;
}

/** The parts from which orders are composed: the sortable fields and the list's own order. */
export interface OrderParts<T> {
  readonly sorts: ReadonlyMap<string, SortField<T>>;
  readonly listOrder: Order<T>;
}

export function sortOrder<T extends object>(
  sort: Sort,
  { sorts, listOrder }: OrderParts<T>,
): SplitSortOrder<T> {
  const keys = [sort, ...sort.others].flatMap(({ field, isDescending }): SortPart<T>[] => {
    const declared = sorts.get(field);
    return declared === undefined ? [] : [{ field: declared, isDescending }];
  });
  const [first, ...others] = keys as [SortPart<T>, ...SortPart<T>[]]; // All fields of a sort belong to the list
  // If the first field is the list's own order, no two rows are equal in it, so further fields have no effect.
  if (others.length === 0 || first.field.by === 'list') {
    const { by, values } = first.field;
    const positionsAt =
      by === 'list' ? positionInList : positionReader([partOf(first, first)], values.isNumbered);
    const order = orderByField(first.field, listOrder);
    return { order, reverse: first.isDescending, partialSort: null, positionsAt };
  }
  const last = others[others.length - 1] ?? first;
  const parts = keys.map((key) => partOf(key, last));
  const partialSort = regroupBy(first, parts, listOrder);
  return {
    order: partialSort.order,
    reverse: isLastDescending(sort),
    partialSort,
    positionsAt: positionReader(parts, first.field.values.isNumbered),
  };
}

function isLastDescending({ isDescending, others }: Sort): boolean {
  return (others[others.length - 1] ?? { isDescending }).isDescending;
}

interface SortPart<T> {
  readonly field: SortField<T>;
  readonly isDescending: boolean;
}

/** Returns the position in a list without a sort. */
export function positionInList({ text }: Key): readonly Position[] {
  return [text];
}

/** Reads and writes the part of a key that is the position in one field. */
interface KeyPart<T> {
  /** Returns the position of a row; negated if the field's direction differs from that of the last field. */
  readonly positionOf: (row: T) => Position;
  /** Returns the position as a string with the same order. No such string is the beginning of another. */
  readonly write: (position: Position) => string;
  /** Returns the end of the written position at the start of a string. */
  readonly endIn: (text: string) => number;
  readonly read: (written: string) => Position | null;
  readonly isReversed: boolean;
}

/** @param last the last field, which gives the direction: fields with the opposite direction are encoded reversed */
function partOf<T>({ field, isDescending }: SortPart<T>, last: SortPart<T>): KeyPart<T> {
  const { values, read } = field;
  const isReversed = isDescending !== last.isDescending;
  if (values.isNumbered) {
    const { positionOf } = values;
    return {
      positionOf: isReversed ? (row) => negated(positionOf(read(row))) : (row) => positionOf(read(row)),
      write: positionText,
      endIn: (text) => text.indexOf('.') + 1,
      read: (written) => readInteger(written.slice(0, -1)),
      isReversed,
    };
  }
  return {
    positionOf: (row) => values.positionOf(read(row)),
    ...(isReversed
      ? {
          write: (position) => reversedText(String(position)),
          endIn: (text) => text.indexOf(reversedEnd) + reversedEnd.length,
          read: readReversedText,
        }
      : { write: positionText, endIn: endOfText, read: readPlaceOfText }),
    isReversed,
  };
}

function positionReader<T>(
  parts: readonly KeyPart<T>[],
  isNumbered: boolean,
): SplitSortOrder<T>['positionsAt'] {
  return ({ index, text }) => {
    const positions: Position[] = [];
    let rest = text;
    for (const [at, { isReversed, write, endIn, read }] of parts.entries()) {
      let position: Position | null = index;
      if (at > 0 || !isNumbered) {
        const written = rest.slice(0, endIn(rest));
        position = read(written);
        if (position === null || write(position) !== written) return positions;
        rest = rest.slice(written.length);
      }
      positions.push(isReversed && typeof position !== 'string' ? negated(position) : position);
    }
    return [...positions, rest];
  };
}

/**
 * Returns how to sort by several fields. A key consists of the first field's position as a number, if it is one, and the other
 * positions as one string.
 */
function regroupBy<T extends object>(
  { field, isDescending }: SortPart<T>,
  [first, ...others]: readonly KeyPart<T>[],
  listOrder: Order<T>,
): PartialSort<T> {
  const position = placeInList(listOrder);
  const { values, read } = field;
  const isReversed = first?.isReversed === true;
  const textOf =
    (parts: readonly (KeyPart<T> | undefined)[]) =>
    (row: T): string =>
      parts.map((part) => part?.write(part.positionOf(row)) ?? '').join('') + position(row);
  if (values.isNumbered) {
    const indexOf = (row: T): number | bigint => values.positionOf(read(row));
    return {
      order: { index: isReversed ? (row) => negated(indexOf(row)) : indexOf, text: textOf(others) },
      isDescending,
      isSameGroup: (a, b) => compareKeys(stringKey('', indexOf(a)), stringKey('', indexOf(b))) === 0,
      startOf({ index }) {
        const value = isReversed ? negated(index) : index;
        // A row's string is never empty, so this key sorts after all rows with this number.
        return stringKey('', isDescending ? BigInt(value) + 1n : value);
      },
    };
  }
  const ownText = (row: T): string => values.positionOf(read(row));
  return {
    order: { text: textOf([first, ...others]) },
    isDescending,
    isSameGroup: (a, b) => ownText(a) === ownText(b),
    startOf({ text }) {
      const value = isReversed ? readReversedText(text) : readPlaceOfText(text);
      if (value === null) return null;
      return stringKey(isDescending ? `${stringPositionOf(value)}\udfff` : stringPositionOf(value));
    },
  };
}

function negated(value: number | bigint): number | bigint {
  // Subtraction avoids minus zero.
  return typeof value === 'bigint' ? -value : 0 - value;
}

/** Appended to the digits of a reversed string, so that longer strings sort before their prefixes. */
const reversedEnd = 'g';

/** Returns a string with the reverse order: the complement of each UTF-16 unit. */
function reversedText(text: string): string {
  let reversed = '';
  for (let at = 0; at < text.length; at += 1) {
    reversed += (0xffff - rankOfUnit(text.charCodeAt(at))).toString(16).padStart(4, '0');
  }
  return `${reversed}${reversedEnd}`;
}

/** Returns the string at the start of a reversed position; null if it is malformed. */
function readReversedText(position: string): string | null {
  const digits = position.slice(0, position.indexOf(reversedEnd));
  if (!position.includes(reversedEnd) || digits.length % 4 > 0 || /[^0-9a-f]/.test(digits)) return null;
  return digits.replace(/.{4}/g, (unit) => String.fromCharCode(unitAtRank(0xffff - parseInt(unit, 16))));
}

const pause = Object.freeze({ rows: Object.freeze([]), from: 0, to: 0 });

/**
 * Sorts each group of rows that are equal in the first field, and yields the rows in chunks. An empty chunk lets other work run.
 */
export function* regroupPieces<T>(
  pieces: Iterable<Piece<T>>,
  { order, isSameGroup }: PartialSort<T>,
  reverse: boolean,
): Generator<Piece<T>, void, undefined> {
  let group: T[] = [];
  function* flush(): Generator<Piece<T>, void, undefined> {
    const keyed = group.map((row) => ({ row, key: keyOf(order, row) }));
    group = [];
    const compare = (a: { readonly key: Key }, b: { readonly key: Key }): number =>
      reverse ? compareKeys(b.key, a.key) : compareKeys(a.key, b.key);
    const sorting = sortInSteps(keyed, compare);
    let step = sorting.next();
    for (; step.done !== true; step = sorting.next()) yield pause;
    const rows = step.value.map(({ row }) => row);
    if (rows.length > 0) yield { rows, from: 0, to: rows.length };
  }
  for (const { rows, from, to } of pieces) {
    for (let at = from; at < to; at += 1) {
      const row = rows[at] as T; // at < to <= rows.length
      const [first] = group;
      if (first !== undefined && !isSameGroup(first, row)) yield* flush();
      group.push(row);
    }
    yield pause;
  }
  yield* flush();
}
