import { findOrderedIndex } from '../../../filter/compile/frame/ordered-index.js';
import { compareKeys, keyOf, type Key, type Order } from '../../list/order.js';
import type { Schema } from '../../../language/schema/schema.js';
import { stringKey } from '../../table/key.js';
import { textIn, type SortField } from '../../table/sort-field.js';
import type { Piece } from '../../table/sorted-rows.js';
import {
  integerText,
  placeInList,
  stringPositionOf,
  readPlaceOfText,
  textOrder,
} from '../../table/text-order.js';
import { rankOfUnit, unitAtRank } from '../../../language/values/utf8-order.js';
import { sortInSteps } from './sort-in-steps.js';
import type { Sort, SortKey } from '../request/sort-query.js';

/** A requested order of a list, and the direction in which it is read. */
export interface SortOrder<T> {
  readonly order: Order<T>;
  readonly reverse: boolean;
  /** How to derive it from rows in the order of the first field; null if that is already the order. */
  readonly partialSort: PartialSort<T> | null;
}

/** Derives an order by several fields from rows in the order of the first one. */
export interface PartialSort<T> {
  readonly order: Order<T>;
  /** The direction in which rows are read in the order of the first field. */
  readonly isDescending: boolean;
  readonly isSameGroup: (a: T, b: T) => boolean;
  /**
   * Returns the position in the order of the first field at which to start reading, so that no later row is missed; null for the
   * beginning.
   */
  readonly startOf: (position: Key) => Key | null;
}

/** The components of orders: the sortable fields and the list's own order. */
export interface OrderParts<T> {
  readonly schema: Schema;
  readonly sorts: ReadonlyMap<string, SortField<T>>;
  readonly listOrder: Order<T>;
}

export function sortOrder<T extends object>(sort: Sort, parts: OrderParts<T>): SortOrder<T> {
  const [first, ...others] = [sort, ...sort.others];
  // If the first field orders the list, no two rows are equal in it.
  if (others.length === 0 || parts.sorts.get(sort.field)?.by === 'list') {
    return { order: singleOrder(first, parts), reverse: first.isDescending, partialSort: null };
  }
  const partialSort = regroupBy(first, others, parts);
  return { order: partialSort.order, reverse: isLastDescending(sort), partialSort };
}

function isLastDescending({ isDescending, others }: Sort): boolean {
  return (others[others.length - 1] ?? { isDescending }).isDescending;
}

function singleOrder<T extends object>(
  { field }: SortKey,
  { schema, sorts, listOrder }: OrderParts<T>,
): Order<T> {
  const declared = sorts.get(field);
  if (declared?.by === 'list') return listOrder;
  if (declared?.isNumbered !== true) return textOrder(listOrder, textIn<T>(schema, nameIn(sorts, field)));
  return { index: integerIn<T>(schema, nameIn(sorts, field)), text: placeInList(listOrder) };
}

/**
 * Returns how to sort by several fields. A position is the first field as a number, if it is one, and all others as one string.
 */
function regroupBy<T extends object>(
  first: SortKey,
  others: readonly SortKey[],
  { schema, sorts, listOrder }: OrderParts<T>,
): PartialSort<T> {
  const last = others[others.length - 1] ?? first;
  // The last field gives the direction; fields with the other direction are encoded reversed.
  const isReversed = ({ isDescending }: SortKey): boolean => isDescending !== last.isDescending;
  const partOf = (key: SortKey): ((row: T) => string) => {
    if (sorts.get(key.field)?.isNumbered === true && sorts.get(key.field)?.by !== 'list') {
      const read = integerIn<T>(schema, nameIn(sorts, key.field));
      return isReversed(key)
        ? (row) => `${integerText(negated(read(row)))}.`
        : (row) => `${integerText(read(row))}.`;
    }
    const read = textIn<T>(schema, nameIn(sorts, key.field));
    return isReversed(key) ? (row) => reversedText(read(row)) : (row) => stringPositionOf(read(row));
  };
  const isReversedFirst = isReversed(first);
  const position = placeInList(listOrder);
  const { isDescending } = first;
  if (sorts.get(first.field)?.isNumbered === true) {
    const parts = others.map(partOf);
    const read = integerIn<T>(schema, nameIn(sorts, first.field));
    return {
      order: {
        index: isReversedFirst ? (row) => negated(read(row)) : read,
        text: (row) => parts.map((part) => part(row)).join('') + position(row),
      },
      isDescending,
      isSameGroup: (a, b) => compareKeys(stringKey('', read(a)), stringKey('', read(b))) === 0,
      startOf({ index }) {
        const value = isReversedFirst ? negated(index) : index;
        // No row has an empty position, so that the next number's is after all rows with this one.
        return stringKey('', isDescending ? BigInt(value) + 1n : value);
      },
    };
  }
  const parts = [first, ...others].map(partOf);
  const read = textIn<T>(schema, nameIn(sorts, first.field));
  return {
    order: { text: (row) => parts.map((part) => part(row)).join('') + position(row) },
    isDescending,
    isSameGroup: (a, b) => read(a) === read(b),
    startOf({ text }) {
      const value = isReversedFirst ? readReversedText(text) : readPlaceOfText(text);
      if (value === null) return null;
      return stringKey(isDescending ? `${stringPositionOf(value)}\udfff` : stringPositionOf(value));
    },
  };
}

/** Returns the name in the schema of a field that a sort names. */
function nameIn<T>(sorts: OrderParts<T>['sorts'], field: string): string {
  return sorts.get(field)?.name ?? field;
}

function negated(value: number | bigint): number | bigint {
  // Minus zero is excluded.
  return typeof value === 'bigint' ? -value : 0 - value;
}

function integerIn<T>(schema: Schema, name: string): (row: T) => number | bigint {
  const field = schema.root.fields.get(name);
  const index = field === undefined ? null : findOrderedIndex<T>(schema, field);
  return (row) => {
    const key = index?.keysOf(row)?.[0];
    if (typeof key === 'number' || typeof key === 'bigint') return key;
    throw new TypeError(`${name} is not an integer in a row of the list`);
  };
}

/** Appended to the digits of a reversed string, so that longer strings sort before their prefixes. */
const reversedEnd = 'g';

/** Returns a string that sorts in the reverse order: the complements of its UTF-16 units. */
function reversedText(text: string): string {
  let reversed = '';
  for (let at = 0; at < text.length; at += 1) {
    reversed += (0xffff - rankOfUnit(text.charCodeAt(at))).toString(16).padStart(4, '0');
  }
  return `${reversed}${reversedEnd}`;
}

/** Returns the string at the start of a position; null if there is none. */
function readReversedText(position: string): string | null {
  const digits = position.slice(0, position.indexOf(reversedEnd));
  if (!position.includes(reversedEnd) || digits.length % 4 > 0 || /[^0-9a-f]/.test(digits)) return null;
  return digits.replace(/.{4}/g, (unit) => String.fromCharCode(unitAtRank(0xffff - parseInt(unit, 16))));
}

const pause = Object.freeze({ rows: Object.freeze([]), from: 0, to: 0 });

/**
 * Yields rows in the order of several fields from rows in the order of the first one, sorting each group of equal rows. Empty
 * chunks are pauses.
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
