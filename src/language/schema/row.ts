import type { StorageKind, ScalarKind, Unit } from '../values/instance/index.js';
import type { Schema } from './schema.js';
import type { ArrayType, ListType, MapType, ScalarType, SpecialField, StructType, Type } from './type.js';

// Types that infer the row type from a schema. Each type is one step of a conditional type, so that the compile time grows
// linearly with the size of the schema.

/**
 * A complete row of a schema: every field is present, including hidden ones, under its property name.
 *
 * ```ts
 * const jobs = defineSchema({ ID: t.string, Priority: t.int, Meta: t.map(t.string), Stopped: t.nullable(t.time) });
 * type Job = RowOf<typeof jobs>;
 * // { ID: string; Priority: number | bigint; Meta: Readonly<Record<string, string>>; Stopped: string | null }
 * ```
 *
 * `unknown` for a schema that was read at run time.
 */
export type RowOf<S extends Schema> = S extends Schema<infer Fields> ? StructRow<Fields> : never;

/**
 * A row that filters of the schema accept: like {@link RowOf}, but any field may be omitted or null. It then reads as the zero
 * value of its kind or, if it is nullable, as nil. Every `RowOf` is an `InputRowOf`; so are objects with additional fields.
 */
export type InputRowOf<S extends Schema> = S extends Schema<infer Fields> ? LooseStruct<Fields> : never;

/**
 * A row that tables accept and copy: like {@link RowOf}, but a nullable field may be omitted, a time may be a Date, and a list may
 * be a Set.
 */
export type PutRowOf<S extends Schema> = S extends Schema<infer Fields> ? PutStruct<Fields> : never;

/** Maps storage kinds to JavaScript types. Integers are exact: those beyond 2^53 are bigints. */
interface ScalarValues {
  readonly string: string;
  readonly time: string;
  readonly bool: boolean;
  readonly int: number | bigint;
  readonly uint: number | bigint;
  readonly float32: number;
  readonly float64: number;
}

/** Editors suggest the known values; rows may hold other strings, as with `t.oneOf`. */
type Scalar<
  Values extends ScalarValues | LooseScalarValues,
  Kind extends ScalarKind,
  Text extends string,
> = Kind extends 'string'
  ? string extends Text
    ? string
    : Text | (string & Record<never, never>)
  : Values[StorageKind<Kind>];

/** The type of a field's definition. */
export type TypeOfField<Definition> = Definition extends Type
  ? Definition
  : Definition extends SpecialField<infer T>
    ? T
    : never;

type ValueOf<T extends Type> = T extends { readonly nullDepth: 1 } ? PresentValue<T> | null : PresentValue<T>;

type PresentValue<T extends Type> =
  T extends ScalarType<infer Kind, infer Text>
    ? T extends { readonly unit: Unit }
      ? number | bigint
      : T extends { readonly safe: true }
        ? number
        : Scalar<ScalarValues, Kind, Text>
    : T extends ListType<infer Of>
      ? readonly ValueOf<Of>[]
      : T extends MapType<infer Of>
        ? Readonly<Record<string, ValueOf<Of>>>
        : T extends StructType<infer Fields>
          ? StructRow<Fields>
          : T extends ArrayType<infer Of>
            ? readonly ValueOf<Of>[]
            : unknown;

/** The row type of a struct; `unknown` if the field names are not known at compile time. */
type StructRow<Fields extends object> = string extends keyof Fields
  ? unknown
  : { readonly [Property in keyof Fields]: ValueOf<TypeOfField<Fields[Property]>> };

/** Numbers of every kind may be bigints, because JSON readers may return large numbers as bigints. */
interface LooseScalarValues extends Omit<ScalarValues, 'float32' | 'float64' | 'time'> {
  readonly time: string | Date;
  readonly float32: number | bigint;
  readonly float64: number | bigint;
}

// The condition is always true. It defers evaluation, because the compiler would otherwise expand the union of unresolved types
// endlessly.
type LooseValue<T extends Type> = T extends Type ? PresentLooseValue<T> | null | undefined : never;

type PresentLooseValue<T extends Type> =
  T extends ScalarType<infer Kind, infer Text>
    ? T extends { readonly unit: Unit }
      ? number | bigint
      : Scalar<LooseScalarValues, Kind, Text>
    : T extends ListType<infer Of>
      ? readonly LooseValue<Of>[]
      : T extends MapType<infer Of>
        ? Readonly<Record<string, LooseValue<Of>>>
        : T extends StructType<infer Fields>
          ? LooseStruct<Fields>
          : T extends ArrayType<infer Of>
            ? readonly LooseValue<Of>[]
            : unknown;

type LooseStruct<Fields extends object> = string extends keyof Fields
  ? unknown
  : { readonly [Property in keyof Fields]?: LooseValue<TypeOfField<Fields[Property]>> };

type PutValue<T> = T extends { readonly nullDepth: 1 }
  ? PresentPutValue<T> | null | undefined
  : PresentPutValue<T>;

type PresentPutValue<T> = T extends { readonly kind: 'time' }
  ? T extends { readonly unit: Unit }
    ? number | bigint
    : string | Date
  : T extends ListType<infer Of>
    ? readonly PutValue<Of>[] | ReadonlySet<PutValue<Of>>
    : T extends MapType<infer Of>
      ? Readonly<Record<string, PutValue<Of>>>
      : T extends StructType<infer Fields>
        ? PutStruct<Fields>
        : T extends Type
          ? PresentValue<T>
          : unknown;

type PutStruct<Fields extends object> = string extends keyof Fields
  ? unknown
  : {
      readonly [
        Property in keyof Fields as IsNullable<Fields[Property]> extends true ? never : Property
      ]: PutValue<TypeOfField<Fields[Property]>>;
    } & {
      readonly [
        Property in keyof Fields as IsNullable<Fields[Property]> extends true ? Property : never
      ]?: PutValue<TypeOfField<Fields[Property]>>;
    };

type IsNullable<Definition> = TypeOfField<Definition> extends { readonly nullDepth: 1 } ? true : false;
