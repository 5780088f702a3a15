import {
  fieldIndex,
  orderedIndex,
  type FieldIndex,
  type KeyRange,
  type OrderedIndex,
  type Schema,
} from '../../src/index.js';

/** Every index that a schema can have. */
export function allIndexes(schema: Schema): (FieldIndex | OrderedIndex)[] {
  const fields = [...schema.root.fields.keys()];
  return [fieldIndex, orderedIndex].flatMap((declare) =>
    fields.flatMap((field) => {
      try {
        return [declare(schema, field)];
      } catch (error) {
        if (error instanceof TypeError) return [];
        throw error;
      }
    }),
  );
}

/** The rows with one of the keys, in their order, as an index would have them. */
export function rowsWithKeys(
  rows: readonly unknown[],
  index: FieldIndex,
  keys: readonly string[],
): readonly unknown[] {
  return rows.filter((row) => index.keysOf(row)?.some((key) => keys.includes(key)));
}

/** The rows with a key in one of the ranges, in their order. */
export function rowsInRanges(
  rows: readonly unknown[],
  index: OrderedIndex,
  ranges: readonly KeyRange[],
): readonly unknown[] {
  const { compare } = index;
  const matches = ({ from, to, fromInclusive, toInclusive }: KeyRange, key: KeyRange['from'] & {}): boolean =>
    (from === null || compare(key, from) > 0 || (fromInclusive && compare(key, from) === 0)) &&
    (to === null || compare(key, to) < 0 || (toInclusive && compare(key, to) === 0));
  return rows.filter((row) => index.keysOf(row)?.some((key) => ranges.some((range) => matches(range, key))));
}
