/**
 * The type of a value as the schema declares it. `pointers` tells how many times it is nullable: 0 (never: absent and
 * null read as the kind's zero value), 1 (nullable), or 2 (a pointer to a pointer, which only tests against nil reach).
 */
export type Type = ScalarType | AnyType | ListType | ArrayType | MapType | StructType;

export type ScalarKind = 'string' | 'bool' | 'int' | 'uint' | 'float32' | 'float64' | 'time';

export interface ScalarType {
  readonly kind: ScalarKind;
  readonly pointers: number;
}

/** A value of no declared kind: what it holds decides, row by row. */
export interface AnyType {
  readonly kind: 'any';
  readonly pointers: number;
}

export interface ListType {
  readonly kind: 'list';
  readonly of: Type;
  readonly pointers: number;
}

/** A list of a fixed length. It is never nil. */
export interface ArrayType {
  readonly kind: 'array';
  readonly of: Type;
  readonly length: number;
  readonly pointers: number;
}

/**
 * A map. `textKeys` is true for plain string keys, the only ones that can be iterated or searched; `integerKeys` is
 * true where a key in a path is a number, so that `["0x1"]` finds the key `1`.
 */
export interface MapType {
  readonly kind: 'map';
  readonly of: Type;
  readonly textKeys: boolean;
  readonly integerKeys: boolean;
  readonly pointers: number;
}

export interface StructType {
  readonly kind: 'struct';
  /** The struct's name, for documents and for recursion; null for one written in place. */
  readonly name: string | null;
  /** Every field by the name that filters use. Hidden fields are not in it: to a filter they do not exist. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Every field by its property name, hidden ones included. */
  readonly properties: ReadonlyMap<string, Field>;
  readonly pointers: number;
}

export interface Field {
  /** The name in filters. */
  readonly name: string;
  /** The name of the property in rows. */
  readonly property: string;
  readonly type: Type;
  /** True for a field that filters must not see. */
  readonly hidden: boolean;
}

/** The kind as people know it: `list`, `nullable string`. */
export function describeType(type: Type): string {
  return type.pointers > 0 ? `nullable ${type.kind}` : type.kind;
}

export const anyType: AnyType = Object.freeze({ kind: 'any', pointers: 0 });
export const stringType: ScalarType = Object.freeze({ kind: 'string', pointers: 0 });
export const intType: ScalarType = Object.freeze({ kind: 'int', pointers: 0 });
