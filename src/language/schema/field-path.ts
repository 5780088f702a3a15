import { fieldPathText, readFieldPath } from '../syntax/field-path.js';
import type { Schema } from './schema.js';
import type { Field, StructType, Type } from './type.js';

/**
 * The name of a field in filters: its name, a path to a field of a struct (`Summary.Running`), or a name in brackets (`["First
 * Name"]`).
 */
export type FieldName<T> =
  (keyof T & string) | `${keyof T & string}.${string}` | `["${keyof T & string}"]${string}`;

/** A field of rows, or of structs in rows. */
export interface RowField {
  /** The path as filters write it: `Summary.Running`, `["First Name"]`. */
  readonly name: string;
  /** The names in filters, from the row to the value. */
  readonly path: readonly string[];
  /** The property names, from the row to the value. */
  readonly properties: readonly string[];
  readonly type: Type;
  /** Whether the value, or a struct that contains it, may be null. */
  readonly isNullable: boolean;
  /** Whether a row may lack the value or a struct that contains it, even if the type is not nullable. */
  readonly isOptional: boolean;
}

/** Returns the field with a name or a path; null if none exists. @param by whether parts are names of filters or properties */
export function findFieldPath({ root }: Schema, name: string, by: 'fields' | 'properties'): RowField | null {
  const path: Field[] = [];
  let struct: StructType | null = root;
  for (const part of readFieldPath(name)) {
    const field: Field | undefined = struct?.[by].get(part);
    if (field === undefined || field.hidden) return null;
    path.push(field);
    struct = field.type.kind === 'struct' ? field.type : null;
  }
  return pathOfFields(path);
}

/** Returns the path through these fields, each of which is in the struct of the previous one. */
export function pathOfFields(path: readonly Field[]): RowField {
  const { type } = path.at(-1) as Field; // There is at least one field
  return {
    name: fieldPathText(path.map(({ name }) => name)),
    path: path.map(({ name }) => name),
    properties: path.map(({ property }) => property),
    type,
    isNullable: path.some((field) => field.type.nullDepth > 0),
    isOptional: path.some(({ optional }) => optional === true),
  };
}
