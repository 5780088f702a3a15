import type { ScalarKind, Unit } from '../values/instance/index.js';

/**
 * The type of a value as declared in the schema. `nullDepth` is how many times it is nullable: 0 (not nullable: absent and null
 * read as the kind's zero value), 1 (nullable), or 2 (a pointer to a pointer, which only tests against nil can read).
 */
export type Type = ScalarType | AnyType | ListType | ArrayType | MapType | StructType;

/** Annotations of a type for the application's own use, such as a description. Schemas carry them; Tamis does not use them. */
export type Annotations = Readonly<Record<string, unknown>>;

/** A type with annotations. Created by `t.annotated`. */
export type Annotated<T extends Type, A extends Annotations> = T & { readonly annotations: A };

export type { ScalarKind } from '../values/instance/index.js';

export interface ScalarType<Kind extends ScalarKind = ScalarKind, Text extends string = string> {
  readonly kind: Kind;
  readonly nullDepth: number;
  /** Unit of the integers in rows, for a time, a duration or bytes; omitted if rows hold strings. */
  readonly unit?: Unit;
  /** Whether addresses may have a port. */
  readonly port?: true;
  /** The zone of times that are stored as strings without one; omitted if such strings are not times. */
  readonly zone?: 'UTC';
  /** Whether the integers are within ±(2^53 - 1), so that rows have them as numbers and never as bigints. */
  readonly safe?: true;
  /** The known values. They are advisory: rows may have others, and filters may use them, but `lint` warns. */
  readonly values?: readonly Text[];
  readonly annotations?: Annotations;
}

/** A value of undeclared kind: its kind at run time decides, row by row. */
export interface AnyType {
  readonly kind: 'any';
  readonly nullDepth: number;
  readonly annotations?: Annotations;
}

export interface ListType<Of extends Type = Type> {
  readonly kind: 'list';
  readonly of: Of;
  readonly nullDepth: number;
  readonly annotations?: Annotations;
}

/** A list of fixed length. It is never nil. */
export interface ArrayType<Of extends Type = Type> {
  readonly kind: 'array';
  readonly of: Of;
  readonly length: number;
  readonly nullDepth: number;
  readonly annotations?: Annotations;
}

/**
 * A map. `textKeys` is true for plain string keys, the only ones that can be iterated or searched; `integerKeys` is true if a key
 * in a path is a number, so that `["0x1"]` finds the key `1`.
 */
export interface MapType<Of extends Type = Type> {
  readonly kind: 'map';
  readonly of: Of;
  readonly textKeys: boolean;
  readonly integerKeys: boolean;
  readonly nullDepth: number;
  /** Common keys of the maps. They are advisory: rows may have others, and filters may use them. */
  readonly keys?: readonly string[];
  readonly annotations?: Annotations;
}

/** Exists only in types: the definitions of a struct, from which its row type is inferred. */
declare const definitions: unique symbol;

// Neither the constraint nor the default may be FieldDefinitions: to check them, the compiler would resolve the fields of
// recursive types without end.
// oxlint-disable-next-line typescript/no-explicit-any
export interface StructType<Fields extends object = any> {
  readonly kind: 'struct';
  /** The struct's name, for documents and recursion; null for an inline struct. */
  readonly name: string | null;
  /** Fields by filter name. Hidden fields are excluded, because they do not exist for filters. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields by property name, including hidden ones. */
  readonly properties: ReadonlyMap<string, Field>;
  /** Whether rows may have other fields, which filters read by the kind of their values. */
  readonly open?: true;
  readonly nullDepth: number;
  readonly annotations?: Annotations;
  /** Does not exist at run time. */
  readonly [definitions]?: Fields;
}

/** A type whose values may be null. Created by `t.nullable`. */
export type Nullable<T extends Type> = T & { readonly nullDepth: 1 };

/** The definition of a field in `defineSchema` and `t.struct`: a type, optionally hidden or renamed. */
export type FieldDefinition = Type | SpecialField;

/** A field that is hidden from filters or renamed in them. Created by `t.hidden` and `t.renamed`. */
export interface SpecialField<
  T extends Type = Type,
  Hidden extends boolean = boolean,
  Name extends string | null = string | null,
> {
  readonly field: { readonly type: T; readonly hidden: Hidden; readonly name: Name };
}

/** Field definitions by property name. */
export interface FieldDefinitions {
  readonly [property: string]: FieldDefinition;
}

export interface Field {
  /** The name in filters. */
  readonly name: string;
  /** The name of the property in rows. */
  readonly property: string;
  readonly type: Type;
  /** Whether the field is hidden from filters. */
  readonly hidden: boolean;
  /** Whether rows may lack the property: JSON Schema does not list it in `required`. */
  readonly optional?: true;
}

/** A scalar that rows store as an integer in a unit. Without a unit, only times and durations exist, stored as strings. */
export interface UnitType<
  Kind extends ScalarKind = ScalarKind,
  Of extends Unit = Unit,
> extends ScalarType<Kind> {
  readonly unit: Of;
}

/** An integer within ±(2^53 - 1), which rows have as a number. Created by `t.int({ safe: true })`. */
export interface SafeType<Kind extends ScalarKind = ScalarKind> extends ScalarType<Kind> {
  readonly safe: true;
}

/** Returns the type of the elements of a list; null for other types. */
export function elementTypeOf(type: Type | null): Type | null {
  return type?.kind === 'list' || type?.kind === 'array' ? type.of : null;
}

/** Returns the kind in readable form: `list`, `nullable string`, `duration in ms`, `ip with port`, `safe int`. */
export function describeType(type: Type): string {
  const detail =
    'unit' in type ? ` in ${type.unit}` : 'port' in type ? ' with port' : 'zone' in type ? ' in UTC' : '';
  return `${type.nullDepth > 0 ? 'nullable ' : ''}${'safe' in type ? 'safe ' : ''}${type.kind}${detail}`;
}

export const anyType: AnyType = Object.freeze({ kind: 'any', nullDepth: 0 });
export const stringType: ScalarType = Object.freeze({ kind: 'string', nullDepth: 0 });
export const intType: ScalarType = Object.freeze({ kind: 'int', nullDepth: 0 });
