import { checkSchema, describe } from '../../../language/diagnostics/options.js';
import { fieldPathText, suggestFieldName } from '../../../language/syntax/field-path.js';
import type { Schema } from '../../../language/schema/schema.js';
import { findFieldPath, type RowField } from '../../../language/schema/field-path.js';
import { asData, entryReader, isMap } from '../../../language/values/data.js';

/** Returns the field of an index: of rows, or of structs in them. @throws TypeError if the schema lacks or hides the field. */
export function indexedField(caller: string, schema: Schema, field: string): RowField {
  checkSchema(caller, schema);
  if (typeof field !== 'string')
    throw new TypeError(`${caller}: field must be a string, got ${describe(field)}`);
  const declared = findFieldPath(schema, field, 'fields');
  if (declared === null) {
    const names = [...schema.root.fields.keys()].map((each) => fieldPathText([each]));
    const near = suggestFieldName(field, names);
    const help = near === undefined ? '' : `. Did you mean ${near}?`;
    throw new TypeError(`${caller}: the schema has no field ${JSON.stringify(field)}${help}`);
  }
  return declared;
}

/**
 * Returns a function that returns the keys of a row: none if a nullable value on the way is null or missing.
 * @param keysOf the keys of a value that is not null, or whose type is not nullable
 */
export function keysAt<K>(
  { properties, type, isNullable }: RowField,
  keysOf: (value: unknown) => readonly K[] | null,
): (row: unknown) => readonly K[] | null {
  const read = pathReader(properties);
  const isNested = properties.length > 1;
  if (!isNullable && !isNested) return (row) => keysOf(asData(read(row)));
  return (row) => {
    const value = asData(read(row));
    if (value !== null && value !== undefined) return keysOf(value);
    // A null that the schema does not allow reads as zero. Within a struct only a scan can find it.
    return type.nullDepth > 0 || (isNested && isNullable) ? noKeys : isNested ? null : keysOf(value);
  };
}

const noKeys: readonly never[] = Object.freeze([]);

/**
 * Returns a function that reads a property as filters do. For a row that is not an object it returns a symbol, which is never a
 * key, so that the row is not indexed.
 */
export function propertyReader(property: string): (row: unknown) => unknown {
  const read = entryReader(property);
  return (row) => {
    if (row === null || row === undefined) return undefined;
    return isMap(row) || Array.isArray(row) ? read(row) : noObject;
  };
}

/** Like {@link propertyReader}, for a value in nested structs. Undefined if one of them is null or missing. */
export function pathReader(properties: readonly string[]): (row: unknown) => unknown {
  const readers = properties.map(propertyReader);
  const [first] = readers;
  if (first !== undefined && readers.length === 1) return first;
  return (row) => readers.reduce((value, read) => read(value), row);
}

const noObject = Symbol('no object');
