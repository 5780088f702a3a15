import type { FieldDefinitions, Order, Schema, StructType, Type } from 'tamis';
import { declareIndexes, type DeclaredIndexes } from 'tamis/table';
import { filterSchema, type Row } from './row-type.js';

/**
 * A resource as its file declares it: a kind of rows, from which follow its table, what filters know of it, how stores
 * keep it, and what exports and documents show of it. `V`, `R` and `G` are the names of its indexes.
 */
export interface ResourceDeclaration<
  F extends FieldDefinitions,
  V extends keyof F & string,
  R extends keyof F & string,
  G extends string,
> {
  /** The name of one of them in documents, such as `Node`; left out where none of them is a resource of its own. */
  readonly name?: string;
  readonly shape: StructType<F>;
  /** Unique among the rows. */
  readonly key: (row: Row<StructType<F>>) => string;
  /** The field that keys end in. */
  readonly idField: keyof F & string;
  /** The order of lists; left out for that of keys. */
  readonly listOrder?: Order<Row<StructType<F>>>;
  /** The field that the order of lists begins with, where it alone decides but for its equal values. */
  readonly listField?: keyof F & string;
  /** FieldDefinitions by which lists can be sorted: the one of lists, those of ranges, and texts. */
  readonly sorts?: readonly (keyof F & string)[];
  /** FieldDefinitions by whose values filters find rows. */
  readonly values?: readonly V[];
  /** FieldDefinitions of integers by whose ranges filters find rows. */
  readonly ranges?: readonly R[];
  /** Texts by which rows are found, and no filter knows of. */
  readonly groups?: Readonly<Record<G, (row: Row<StructType<F>>) => string>>;
  /** Left out for rows that exports do not hold. */
  readonly exported?: ExportDeclaration<Row<StructType<F>>>;
  /** Views used in responses, by their names in the API document; left out if rows are returned whole. */
  readonly views?: Readonly<Record<string, View<Row<StructType<F>>>>>;
}

/** The way of rows into an export, and back. */
export interface ExportDeclaration<T> {
  /** The row as an agent exports it; left out where it holds no secrets. */
  readonly withoutSecrets?: (row: T) => T;
  /** The mistake in the ID of a row; null for none. */
  readonly idProblem?: (row: T) => string | null;
}

/** Returns a row as responses contain it. */
export interface View<T> {
  readonly project: (row: T) => object;
  /** The shapes of what it shows and the row does not have. */
  readonly others?: Readonly<Record<string, Type>>;
}

/** A resource: its declaration, and what follows from it. */
export interface Resource<T extends object = object, I extends string = string> extends DeclaredIndexes<
  T,
  I
> {
  readonly name: string | null;
  readonly shape: StructType;
  /** The fields that filters see. */
  readonly schema: Schema;
  readonly key: (row: T) => string;
  readonly idField: string;
  /** Null for the order of keys. */
  readonly listOrder: Order<T> | null;
  readonly exported: ExportDeclaration<T> | null;
  readonly views: Readonly<Record<string, View<T>>>;
}

/** @throws TypeError for a field by which rows cannot be found. */
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
