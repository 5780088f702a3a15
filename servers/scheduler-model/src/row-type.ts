import {
  defineSchema,
  t,
  type Annotated,
  type FieldDefinitions,
  type ListType,
  type MapType,
  type ScalarKind,
  type ScalarType,
  type Schema,
  type SpecialField,
  type StructType,
  type Type,
  type Unit,
} from 'tamis';

// Row types are those of the filter language, annotated with details of the scheduler.

/** String with few distinct values, such as a status or datacenter, shared in memory. */
export const interned = t.annotated(t.string, { interned: true });

/** Bytes: base64 on the wire and in rows, null for none. Filters see a string, empty for none. */
export const base64 = t.annotated(t.string, { encoding: 'base64' });

/** An RFC 3339 time; null for the zero time. */
export const instant = t.nullable(t.time);

/** Nanoseconds since 1970, which exceed the safe integers. */
export const nanosecondTime = t.annotated(t.time('ns'), { description: 'nanoseconds since 1970' });

/** A duration in ns; filters see an integer. */
export const nanoseconds = t.annotated(t.int, { description: 'nanoseconds' });

/** Unsigned integers with fewer bits, as clients decode them. */
export const uint8 = t.annotated(t.uint, { maximum: 255 });
export const uint16 = t.annotated(t.uint, { maximum: 65_535 });
export const uint32 = t.annotated(t.uint, { maximum: 4_294_967_295 });

/** A size in mebibytes. */
export const mebibytes = t.annotated(t.bytes('MiB'), { description: 'MiB' });

type Base64 = Annotated<Type, { readonly encoding: 'base64' }>;

/**
 * A complete row with all fields. Safe integers are numbers, larger ones bigints; times are RFC 3339 strings; missing lists and
 * maps are null.
 */
export type Row<T extends Type> = T extends { readonly nullDepth: 1 } ? PresentRow<T> | null : PresentRow<T>;

type PresentRow<T extends Type> = T extends Base64
  ? string | null
  : T extends ScalarType<infer Kind>
    ? ScalarValue<T, Kind>
    : T extends ListType<infer Of>
      ? readonly Row<Of>[] | null
      : T extends MapType<infer Of>
        ? Readonly<Record<string, Row<Of>>> | null
        : T extends StructType<infer Fields>
          ? StructRow<Fields>
          : unknown;

/** Field types are unknown if the field names are. */
type StructRow<Fields extends object> = string extends keyof Fields
  ? object
  : { readonly [Name in keyof Fields]: Row<FieldType<Fields[Name]>> };

/** The input of a row as a client gave it; absent and null fields are missing. */
export type Input<T extends Type> =
  T extends ScalarType<infer Kind>
    ? ScalarValue<T, Kind>
    : T extends ListType<infer Of>
      ? readonly Input<Of>[]
      : T extends MapType<infer Of>
        ? Readonly<Record<string, Input<Of>>>
        : T extends StructType<infer Fields>
          ? StructInput<Fields>
          : unknown;

type StructInput<Fields extends object> = string extends keyof Fields
  ? object
  : { readonly [Name in keyof Fields]?: Input<FieldType<Fields[Name]>> };

interface ScalarValues extends Readonly<Record<ScalarKind, unknown>> {
  readonly string: string;
  readonly time: string;
  readonly duration: string;
  readonly ip: string;
  readonly version: string;
  readonly bool: boolean;
  readonly int: number | bigint;
  readonly uint: number | bigint;
  readonly bytes: number | bigint;
  readonly float32: number;
  readonly float64: number;
}

type ScalarValue<T, Kind extends ScalarKind> = T extends { readonly unit: Unit }
  ? number | bigint
  : ScalarValues[Kind];

type FieldType<Definition> = Definition extends Type
  ? Definition
  : Definition extends SpecialField<infer T>
    ? T
    : never;

/** Returns the fields of a struct, to reuse in another one. */
export function fieldsOf<Fields extends FieldDefinitions>({ properties }: StructType<Fields>): Fields {
  const fields = [...properties.values()].map(({ property, type, hidden }) => [
    property,
    hidden ? t.hidden(type) : type,
  ]);
  return Object.fromEntries(fields) as Fields;
}

/** Returns the schema that validates filters on rows. */
export function filterSchema(struct: StructType): Schema {
  return defineSchema(fieldsOf(struct));
}

export function isInterned(type: Type): boolean {
  return type.annotations?.['interned'] === true;
}

export function isDuration(type: Type): boolean {
  return type.annotations?.['description'] === 'nanoseconds';
}

/** Returns the maximum of an unsigned integer type; null for 64 bits. */
export function maximumOf(type: Type): number | null {
  const maximum = type.annotations?.['maximum'];
  return typeof maximum === 'number' ? maximum : null;
}

export function isBase64(type: Type): boolean {
  return type.annotations?.['encoding'] === 'base64';
}

/** Throws for a type that rows do not support. */
export function unknownRowType({ kind }: Type): never {
  throw new TypeError(`Rows hold no ${kind}`);
}
