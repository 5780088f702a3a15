import type { Type } from '../language/schema/type.js';
import { storedKindOf } from '../language/schema/value-kind.js';
import type { MatchExpression } from '../language/syntax/ast.js';
import { sql, type Sql } from './sql.js';

/** A string expression, in the forms that tests need. */
export interface TextValue {
  readonly value: Sql;
  /** The string in byte order, for equality and for ordering comparisons. */
  readonly equal: Sql;
  readonly order: Sql;
  /** Whether the string may contain U+0000, at which some functions of the engine stop. */
  readonly mayContainNul: boolean;
  /** Whether the type of the column, if it is not a string type, has a value for a string; undefined for string types. */
  readonly canStore?: (text: string) => boolean;
  /**
   * The column itself, if it sorts like its strings. `from` returns its smallest value that is not before a string; null if all
   * values are.
   */
  readonly sorted?: { readonly value: Sql; readonly from: (text: string) => Sql | null };
}

/** The types of instants. All but `timestamptz` are in UTC; a `datetime` may be no date, such as 2026-02-31. */
export type InstantType = 'timestamptz' | 'timestamp' | 'date' | 'datetime' | 'datetime64';

/** The conditions that a test of an existing value is true, and that it is false. */
export interface TestConditions {
  readonly yes: Sql;
  readonly no: Sql;
}

/** A single value. It is NULL if none exists, or if it is an instant that rows cannot have. */
export type SqlScalar = ScalarValue & {
  /** Translates a test in the column's own type; null if the value is tested like others of its kind. */
  readonly test?: (node: MatchExpression, now: number | null) => TestConditions | null;
};

type ScalarValue =
  | { readonly kind: 'text'; readonly text: TextValue }
  | { readonly kind: 'timeText'; readonly text: TextValue; readonly digits: number }
  | { readonly kind: 'integer' | 'float' | 'bool'; readonly value: Sql }
  /** A number in JSON, compared exactly as a decimal. */
  | { readonly kind: 'decimal'; readonly value: Sql }
  /** A decimal that is read as the nearest double. */
  | { readonly kind: 'rounded'; readonly value: Sql }
  | {
      readonly kind: 'instant';
      readonly value: Sql;
      readonly isBounded: boolean;
      readonly as: InstantType;
      /** Number of fraction digits of a second; 6 if omitted. */
      readonly digits?: number;
    };

/** The elements of a list, or the entries of a map. */
export interface Items {
  /** Returns the condition that a condition is true for an item. */
  readonly exists: (condition: Sql) => Sql;
  /** The element, or the value. */
  readonly value: ColumnAccess;
  /** The key of a map, or the index of a list. */
  readonly key: ColumnAccess;
}

/** Returns `exists` of items that are the rows of a subquery. */
export function existsIn(from: Sql): Items['exists'] {
  return (condition) => sql`EXISTS (SELECT 1 FROM ${from} WHERE ${condition})`;
}

/** The value that a selector resolves to, and the operations on it. Null if an operation cannot be translated. */
export interface ColumnAccess {
  readonly type: Type;
  /** Condition that the value is null; null if that is impossible. */
  readonly isNull: Sql | null;
  /** Condition that the value cannot be reached (a key missing from its map, a field of a null); null if that is impossible. */
  readonly isMissing: Sql | null;
  /** Condition that the value is null and not missing, if `isNull` does not distinguish these. */
  readonly isNil?: Sql;
  /** Condition that a value in JSON, which may be of any kind, is of the kind of its type. Omitted if the column ensures it. */
  readonly isOfKind?: Sql;
  /** Condition that the engine cannot read the value, although rows have it, and why. */
  readonly unreadable?: { readonly condition: Sql; readonly why: string };
  scalar(): SqlScalar | null;
  field(name: string, type: Type): ColumnAccess | null;
  entry(key: Sql, type: Type): ColumnAccess | null;
  element(index: number, type: Type): ColumnAccess | null;
  /** Number of elements or keys; NULL if there is no list or map. */
  size(): Sql | null;
  items(alias: string): Items | null;
  hasKey(key: Sql): Sql | null;
  /** Condition that an element equals a string, if an index may serve it; null if each element must be compared. */
  hasElement(word: string, text: (word: string) => Sql): Sql | null;
}

/** How values of a type are stored if the column type does not determine it. */
export type StoredType = 'text' | 'integer' | 'float' | 'bool' | 'list' | 'map' | 'struct' | null;

export function storedTypeOf(type: Type): StoredType {
  if (type.nullDepth > 1) return null;
  const kind = storedKindOf(type);
  switch (kind) {
    case 'string':
    case 'time':
      return 'text';
    case 'int':
    case 'uint':
      return 'integer';
    case 'float64':
      return 'float';
    case 'bool':
    case 'list':
    case 'struct':
      return kind;
    case 'map':
      return type.kind === 'map' && type.textKeys ? 'map' : null;
    default:
      return null;
  }
}

/** The kinds of JSON values. Rows store numbers of all types as `number`. */
export type JsonKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** Returns the kind of JSON values of a type; null for values of any kind. */
export function jsonKindOf(type: Type): JsonKind | null {
  const kind = storedKindOf(type);
  switch (kind) {
    case 'any':
      return null;
    case 'string':
    case 'time':
      return 'string';
    case 'bool':
      return 'boolean';
    case 'list':
    case 'array':
      return 'array';
    case 'map':
    case 'struct':
      return 'object';
    default:
      return 'number';
  }
}

/** Returns a value that is stored as a single value; null for other types. `text` describes it if it is a string. */
export function scalarAs(stored: StoredType, value: Sql, text: Partial<TextValue> = {}): SqlScalar | null {
  if (stored === 'text')
    return { kind: stored, text: { value, equal: value, order: value, mayContainNul: false, ...text } };
  return stored === 'integer' || stored === 'float' || stored === 'bool' ? { kind: stored, value } : null;
}

/** The operations that a single value does not support. */
export const noParts = {
  field: () => null,
  entry: () => null,
  element: () => null,
  size: () => null,
  items: () => null,
  hasKey: () => null,
  hasElement: () => null,
} as const;
