import { checkSchema, describe } from '../../../language/diagnostics/options.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { Field } from '../../../language/schema/type.js';
import { entryReader, isMap } from '../../../language/values/data.js';

/** The field of an index. @throws TypeError for a field that the schema lacks or hides. */
export function indexedField(caller: string, schema: Schema, field: string): Field {
  checkSchema(caller, schema);
  if (typeof field !== 'string')
    throw new TypeError(`${caller}: a field is a string, not ${describe(field)}`);
  const declared = schema.root.fields.get(field);
  if (declared === undefined) {
    throw new TypeError(`${caller}: the schema has no field ${JSON.stringify(field)}`);
  }
  return declared;
}

/** Reads as filters do. A row that is no object does not fit, which a symbol stands for: it is no key. */
export function propertyReader(property: string): (row: unknown) => unknown {
  const read = entryReader(property);
  return (row) => {
    if (row === null || row === undefined) return undefined;
    return isMap(row) || Array.isArray(row) ? read(row) : noObject;
  };
}

const noObject = Symbol('no object');
