import { checkSchema, describe } from '../../../language/diagnostics/options.js';
import { suggestNames } from '../../../language/diagnostics/suggest.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { Field } from '../../../language/schema/type.js';
import { entryReader, isMap } from '../../../language/values/data.js';

/** The field of an index. @throws TypeError for a field that the schema lacks or hides. */
export function indexedField(caller: string, schema: Schema, field: string): Field {
  checkSchema(caller, schema);
  if (typeof field !== 'string')
    throw new TypeError(`${caller}: field must be a string, got ${describe(field)}`);
  const declared = schema.root.fields.get(field);
  if (declared === undefined) {
    const [near] = suggestNames(field, schema.root.fields.keys());
    const help = near === undefined ? '' : `. Did you mean ${near}?`;
    throw new TypeError(`${caller}: the schema has no field ${JSON.stringify(field)}${help}`);
  }
  return declared;
}

/**
 * Reads a property as filters do. For a row that is not an object it returns a symbol, which is never a key, so that the row does
 * not fit.
 */
export function propertyReader(property: string): (row: unknown) => unknown {
  const read = entryReader(property);
  return (row) => {
    if (row === null || row === undefined) return undefined;
    return isMap(row) || Array.isArray(row) ? read(row) : noObject;
  };
}

const noObject = Symbol('no object');
