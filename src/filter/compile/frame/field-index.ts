import { sharedWeakMap } from '../../../runtime/shared-identity.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { RowField } from '../../../language/schema/field-path.js';
import { describeType, type Type } from '../../../language/schema/type.js';
import type { Value } from '../../../language/syntax/ast.js';
import { fitsIn64Bits } from '../../../language/values/go-number.js';
import { asData } from '../../../language/values/data.js';
import { coerceBool, coerceNumber } from '../../../language/values/operand.js';
import { indexedField, keysAt } from './indexed-field.js';
import { isNil } from './sentinels.js';
import { withArticle } from '../../../language/syntax/wording.js';

/**
 * A field by which rows can be looked up. If you maintain indexes, store each row under each of its keys. `planFilter` returns
 * the keys that can serve a filter.
 */
export interface FieldIndex<T = unknown> {
  /** The field by its filter name. */
  readonly field: string;
  /** Whether a row can have several keys: the field is a list, and each element is one. */
  readonly isMultiple: boolean;
  /**
   * Returns the distinct keys of a row; values that are equal in the language have equal keys. Null for a row that does not match
   * the schema at this field: while there is such a row, the index cannot replace a scan.
   */
  readonly keysOf: (row: T) => readonly string[] | null;
}

/** Returns the key of a literal; null if no value of the field equals it. */
export type KeyOfLiteral = (value: Value) => string | null;

/** The properties of an index that `planFilter` needs, as determined by `fieldIndex`. */
export interface IndexTraits {
  readonly schema: Schema;
  /** The names with which filters reach the value. */
  readonly path: readonly string[];
  /** Whether the value, or a struct on the way to it, may be null. */
  readonly isNullable: boolean;
  readonly keyOfLiteral: KeyOfLiteral;
}

const traits = sharedWeakMap<FieldIndex, IndexTraits>('field indexes');

/**
 * Declares an index on a field: a string, a boolean or an integer, or a list of them, in rows or in structs of them. Rows with null
 * have no keys if the field is nullable.
 *
 * @throws TypeError if the schema does not have the field or hides it, or if its values cannot be represented as keys.
 */
export function fieldIndex<T = unknown>(schema: Schema, field: string): FieldIndex<T> {
  const declared = indexedField('fieldIndex', schema, field);
  const index = findFieldIndex<T>(schema, declared);
  if (index !== null) return index;
  throw new TypeError(
    `fieldIndex: field must be a string, boolean or integer field or a list of these; ${field} is ${withArticle(describeType(declared.type))}`,
  );
}

/** As {@link fieldIndex}, for a field of the schema; null if its values cannot be represented as keys. */
export function findFieldIndex<T = unknown>(schema: Schema, field: RowField): FieldIndex<T> | null {
  const { name, type, path, isNullable } = field;
  const isMultiple = type.kind === 'list';
  const kind = keyKindOf(isMultiple ? type.of : type);
  if (kind === null || type.nullDepth > 1 || (isMultiple && type.of.nullDepth > 0)) return null;
  const keyOf = valueKeys[kind];
  const index: FieldIndex<T> = Object.freeze({
    field: name,
    isMultiple,
    keysOf: keysAt(field, (value) => (isMultiple ? keysOfList(value, keyOf) : keysOfOne(value, keyOf))),
  });
  traits.set(index as FieldIndex, { schema, path, isNullable, keyOfLiteral: literalKeys[kind] });
  return index;
}

/** Returns the traits of an index; null if it was not created by `fieldIndex`. */
export function traitsOf(index: FieldIndex): IndexTraits | null {
  return traits.get(index) ?? null;
}

type KeyKind = 'string' | 'bool' | 'int';

function keyKindOf({ kind }: Type): KeyKind | null {
  if (kind === 'uint') return 'int';
  return kind === 'string' || kind === 'bool' || kind === 'int' ? kind : null;
}

type KeyOfValue = (value: unknown) => string | null;

/** Null and absent values read as the zero value of their kind. */
const valueKeys: Readonly<Record<KeyKind, KeyOfValue>> = {
  string: (value) => (typeof value === 'string' ? value : isNil(value) ? '' : null),
  bool: (value) => (typeof value === 'boolean' ? String(value) : isNil(value) ? 'false' : null),
  int: (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
    if (typeof value === 'bigint') return fitsIn64Bits(value) ? String(value) : null;
    return isNil(value) ? '0' : null;
  },
};

const literalKeys: Readonly<Record<KeyKind, KeyOfLiteral>> = {
  string: ({ text, wellFormed }) => (wellFormed ? text : null),
  bool: (value) => {
    const coerced = coerceBool(value);
    return typeof coerced === 'boolean' ? String(coerced) : null;
  },
  // An int and a uint are read in the same way; the schema check has enforced their different bounds.
  int: (value) => {
    const signed = coerceNumber(value, 'int');
    const coerced = typeof signed === 'string' ? coerceNumber(value, 'uint') : signed;
    return typeof coerced === 'string' || coerced.integer === null ? null : String(coerced.integer);
  },
};

function keysOfOne(value: unknown, keyOf: KeyOfValue): readonly string[] | null {
  const key = keyOf(value);
  return key === null ? null : [key];
}

function keysOfList(list: unknown, keyOf: KeyOfValue): readonly string[] | null {
  if (isNil(list)) return [];
  if (!Array.isArray(list)) return null;
  const keys = new Set<string>();
  // A loop, because array methods would skip the holes of a sparse array.
  for (let at = 0; at < list.length; at += 1) {
    const key = keyOf(asData(list[at]));
    if (key === null) return null;
    keys.add(key);
  }
  return [...keys];
}
