import { fieldPathText, readFieldPath } from '../syntax/field-path.js';
import type { Schema } from './schema.js';
import type { Field, StructType, Type } from './type.js';

/** A field as filters name it: by its name, by a path to a field of a struct (`Summary.Running`), or in brackets (`["First Name"]`). */
export type FieldName<T> =
  (keyof T & string) | `${keyof T & string}.${string}` | `["${keyof T & string}"]${string}`;

/** A field of rows, or of structs in rows. */
export interface RowField {
  /** The path as filters write it: `Summary.Running`, `["First Name"]`. */
  readonly name: string;
  /** The names of filters on the way to the value. */
  readonly path: readonly string[];
  /** The names of the properties on the way to the value. */
  readonly properties: readonly string[];
  readonly type: Type;
  /** Whether the value, or a struct on the way to it, may be null. */
  readonly isNullable: boolean;
  /** Whether rows may lack a value on the way, whose type need not be nullable. */
  readonly isOptional: boolean;
}

/** Returns the field with a name or a path; null if there is none. @param by whether parts are names of filters or properties */
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

/** Returns the path to the last of these fields, each in the struct of the one before. */
export function pathOfFields(path: readonly Field[]): RowField {
  const { type } = path.at(-1) as Field; // there is at least one
  return {
    name: fieldPathText(path.map(({ name }) => name)),
    path: path.map(({ name }) => name),
    properties: path.map(({ property }) => property),
    type,
    isNullable: path.some((field) => field.type.nullDepth > 0),
    isOptional: path.some(({ optional }) => optional === true),
  };
}
