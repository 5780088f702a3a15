import type { Type } from '../language/schema/type.js';
import { storedKindOf } from '../language/schema/value-kind.js';
import type { SqlDialect } from './dialect.js';
import type { Sql } from './sql.js';

/** A text as it is asked about. */
export interface TextValue {
  readonly value: Sql;
  /** The same where it is compared for equality, and for order: by bytes. */
  readonly equal: Sql;
  readonly order: Sql;
  /** Whether a function of the engine may stop within it. */
  readonly mayContainNul: boolean;
}

/** A single value. It is NULL where there is none, or an instant that no row can have. */
export type SqlScalar =
  | { readonly kind: 'text'; readonly text: TextValue }
  | { readonly kind: 'timeText'; readonly text: TextValue; readonly digits: number }
  | { readonly kind: 'integer' | 'float' | 'bool'; readonly value: Sql }
  /** A number in JSON: of decimals, and exact. */
  | { readonly kind: 'decimal'; readonly value: Sql }
  | { readonly kind: 'instant'; readonly value: Sql; readonly isBounded: boolean };

/** The elements of a list, or the entries of a map, as the rows of a subquery. */
export interface Items {
  readonly from: Sql;
  /** The element, or the value. */
  readonly value: ColumnAccess;
  /** The key of a map, or the index of a list. */
  readonly key: ColumnAccess;
}

/** What stands in a row at the end of a selector, and what can be asked of it. Null where that cannot be translated. */
export interface ColumnAccess {
  readonly type: Type;
  /** True where it is null: conditions are null where that cannot be. */
  readonly isNull: Sql | null;
  /** True where it cannot be reached: a key that its map lacks, a field of what is null. */
  readonly isMissing: Sql | null;
  scalar(): SqlScalar | null;
  field(name: string, type: Type): ColumnAccess | null;
  entry(key: Sql, type: Type): ColumnAccess | null;
  element(index: number, type: Type): ColumnAccess | null;
  /** How many elements or keys; NULL where there is no list or map. */
  size(): Sql | null;
  items(alias: string): Items | null;
  hasKey(key: Sql): Sql | null;
  /** Whether an element is a text, where an index may know; null where each has to be asked. */
  hasElement(word: string, dialect: SqlDialect): Sql | null;
}

/** The way that values of a type are kept where a column has no type of its own. */
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

/** What a place that holds a single value, or none, has not. */
export const noParts = {
  field: () => null,
  entry: () => null,
  element: () => null,
  size: () => null,
  items: () => null,
  hasKey: () => null,
  hasElement: () => null,
} as const;
