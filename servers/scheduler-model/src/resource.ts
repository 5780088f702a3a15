import type { FieldDefinitions, Order, Schema, StructType, Type } from 'tamis';
import { declareIndexes, type DeclaredIndexes } from 'tamis/table';
import { filterSchema, type Row } from './row-type.js';

/**
 * The declaration of a resource, a type of row. Its table, filter fields, storage format, exports and API document are derived
 * from it. `V`, `R` and `G` are the names of its indexes.
 */
export interface ResourceDeclaration<
  F extends FieldDefinitions,
  V extends keyof F & string,
  R extends keyof F & string,
  G extends string,
> {
  /** Schema name in the API document, such as `Node`; omitted if a row is not a resource of its own. */
  readonly name?: string;
  readonly shape: StructType<F>;
  /** Returns the unique key of a row. */
  readonly key: (row: Row<StructType<F>>) => string;
  /** The field whose value is the last part of a key. */
  readonly idField: keyof F & string;
  /** The sort order of lists; defaults to the order of keys. */
  readonly listOrder?: Order<Row<StructType<F>>>;
  /** The first field of the order of lists; omitted if no single field comes first. */
  readonly listField?: keyof F & string;
  /** Fields by which lists can be sorted: `listField`, fields among `ranges`, and string fields. */
  readonly sorts?: readonly (keyof F & string)[];
  /** Fields with an index by value, which filters use to find rows. */
  readonly values?: readonly V[];
  /** Integer fields with a sorted index, which filters use to find rows by range. */
  readonly ranges?: readonly R[];
  /** Computed strings by which the program finds rows; filters cannot use them. */
  readonly groups?: Readonly<Record<G, (row: Row<StructType<F>>) => string>>;
  /** Omitted for rows that are not exported. */
  readonly exported?: ExportDeclaration<Row<StructType<F>>>;
  /** Views used in responses, by their names in the API document; omitted if rows are returned whole. */
  readonly views?: Readonly<Record<string, View<Row<StructType<F>>>>>;
}

/** Export settings of rows, and their validation on import. */
export interface ExportDeclaration<T> {
  /** Returns the row as an agent exports it; omitted if rows contain no secrets. */
  readonly withoutSecrets?: (row: T) => T;
  /** Returns the mistake in the ID of a row; null if it is valid. */
  readonly idProblem?: (row: T) => string | null;
}

/** A representation of rows in responses. */
export interface View<T> {
  readonly project: (row: T) => object;
  /** Types of the fields that the view adds to the row. */
  readonly others?: Readonly<Record<string, Type>>;
}

/** A resource: its declaration and everything derived from it. */
export interface Resource<T extends object = object, I extends string = string> extends DeclaredIndexes<
  T,
  I
> {
  readonly name: string | null;
  readonly shape: StructType;
  /** The fields visible to filters. */
  readonly schema: Schema;
  readonly key: (row: T) => string;
  readonly idField: string;
  /** Null for the order of keys. */
  readonly listOrder: Order<T> | null;
  readonly exported: ExportDeclaration<T> | null;
  readonly views: Readonly<Record<string, View<T>>>;
}

/** Creates a resource from its declaration. @throws TypeError if an index or sort field is not possible. */
export function defineResource<
  F extends FieldDefinitions,
  V extends keyof F & string = never,
  R extends keyof F & string = never,
  G extends string = never,
>(declaration: ResourceDeclaration<F, V, R, G>): Resource<Row<StructType<F>>, V | `by${R}` | G> {
  const { name = null, shape, key, idField, listOrder = null, exported = null, views = {} } = declaration;
  const { values = [], ranges = [], groups = {}, listField = null, sorts = [] } = declaration;
  const schema = filterSchema(shape);
  const requested = { schema, keyField: idField, listOrder, listField, sorts, values, ranges, groups };
  const declared = declareIndexes<Row<StructType<F>>>(requested) as DeclaredIndexes<
    Row<StructType<F>>,
    V | `by${R}` | G
  >;
  return { ...{ name, shape, schema, key, idField, listOrder, exported, views }, ...declared };
}
