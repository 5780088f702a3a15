/**
 * What a resource looks like, written once: rows are read, completed, typed and filtered by it. The kinds are those
 * of the filter language; `label` is a string with few distinct values, which are shared in memory.
 */
export type Shape =
  | ScalarShape<'string'>
  | ScalarShape<'label'>
  | ScalarShape<'bool'>
  | ScalarShape<'int'>
  | ScalarShape<'uint'>
  | ScalarShape<'float'>
  | ScalarShape<'time'>
  | ScalarShape<'bytes'>
  | ScalarShape<'any'>
  | ListShape
  | MapShape
  | StructShape
  | NullableShape
  | HiddenShape;

export interface ScalarShape<K extends string> {
  readonly kind: K;
}
export interface ListShape<S extends Shape = Shape> {
  readonly kind: 'list';
  readonly of: S;
}
export interface MapShape<S extends Shape = Shape> {
  readonly kind: 'map';
  readonly of: S;
}
export interface StructShape<F extends Fields = Fields> {
  readonly kind: 'struct';
  readonly fields: F;
}
export interface NullableShape<S extends Shape = Shape> {
  readonly kind: 'nullable';
  readonly of: S;
}
/** A field that rows hold and filters cannot see. */
export interface HiddenShape<S extends Shape = Shape> {
  readonly kind: 'hidden';
  readonly of: S;
}

export interface Fields {
  readonly [name: string]: Shape;
}

/**
 * A complete row: every field is there. Integers are numbers while they are safe and bigints beyond; a time is an RFC
 * 3339 string or null for the zero time; bytes are base64 or null; lists and maps are null where none was given.
 */
export type Row<S extends Shape> =
  S extends ScalarShape<'string' | 'label'>
    ? string
    : S extends ScalarShape<'bool'>
      ? boolean
      : S extends ScalarShape<'int' | 'uint'>
        ? number | bigint
        : S extends ScalarShape<'float'>
          ? number
          : S extends ScalarShape<'time' | 'bytes'>
            ? string | null
            : S extends ScalarShape<'any'>
              ? unknown
              : S extends ListShape<infer E>
                ? readonly Row<E>[] | null
                : S extends MapShape<infer E>
                  ? Readonly<Record<string, Row<E>>> | null
                  : S extends NullableShape<infer E>
                    ? Row<E> | null
                    : S extends HiddenShape<infer E>
                      ? Row<E>
                      : S extends StructShape<infer F>
                        ? { readonly [K in keyof F]: Row<F[K]> }
                        : never;

/** What a client gave of a row: absent and null fields are not there. */
export type Input<S extends Shape> =
  S extends ListShape<infer E>
    ? readonly Input<E>[]
    : S extends MapShape<infer E>
      ? Readonly<Record<string, Input<E>>>
      : S extends NullableShape<infer E>
        ? Input<E>
        : S extends HiddenShape<infer E>
          ? Input<E>
          : S extends StructShape<infer F>
            ? { readonly [K in keyof F]?: Input<F[K]> }
            : Exclude<Row<S>, null>;

/** The building blocks of shapes. */
export const s = Object.freeze({
  string: Object.freeze({ kind: 'string' }),
  /** A string with few distinct values, such as a status or a datacenter. */
  label: Object.freeze({ kind: 'label' }),
  bool: Object.freeze({ kind: 'bool' }),
  /** A signed integer of 64 bits. */
  int: Object.freeze({ kind: 'int' }),
  /** An unsigned integer of 64 bits. */
  uint: Object.freeze({ kind: 'uint' }),
  float: Object.freeze({ kind: 'float' }),
  /** An RFC 3339 time. */
  time: Object.freeze({ kind: 'time' }),
  /** Bytes, in base64 on the wire. */
  bytes: Object.freeze({ kind: 'bytes' }),
  /** Any JSON value. */
  any: Object.freeze({ kind: 'any' }),
  list: <S extends Shape>(of: S): ListShape<S> => Object.freeze({ kind: 'list', of }),
  map: <S extends Shape>(of: S): MapShape<S> => Object.freeze({ kind: 'map', of }),
  struct: <F extends Fields>(fields: F): StructShape<F> => Object.freeze({ kind: 'struct', fields }),
  nullable: <S extends Shape>(of: S): NullableShape<S> => Object.freeze({ kind: 'nullable', of }),
  hidden: <S extends Shape>(of: S): HiddenShape<S> => Object.freeze({ kind: 'hidden', of }),
} as const);
