import { checkSchema, describe } from '../../../language/diagnostics/options.js';
import { fieldPathText, readFieldPath, suggestFieldName } from '../../../language/syntax/field-path.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { Field } from '../../../language/schema/type.js';
import { entryReader, isMap } from '../../../language/values/data.js';

/** Returns the field of an index. @throws TypeError if the schema lacks or hides the field. */
export function indexedField(caller: string, schema: Schema, field: string): Field {
  checkSchema(caller, schema);
  if (typeof field !== 'string')
    throw new TypeError(`${caller}: field must be a string, got ${describe(field)}`);
  const { fields } = schema.root;
  const [name = '', ...parts] = readFieldPath(field);
  const declared = parts.length === 0 ? fields.get(name) : undefined;
  if (declared === undefined) {
    const names = [...fields.keys()].map((each) => fieldPathText([each]));
    const near = suggestFieldName(field, names);
    const help = near === undefined ? '' : `. Did you mean ${near}?`;
    throw new TypeError(`${caller}: the schema has no field ${JSON.stringify(field)}${help}`);
  }
  return declared;
}

/**
 * Returns a function that reads a property as filters do. For a row that is not an object it returns a symbol. A symbol is never
 * a key, so the row cannot be indexed.
 */
export function propertyReader(property: string): (row: unknown) => unknown {
  const read = entryReader(property);
  return (row) => {
    if (row === null || row === undefined) return undefined;
    return isMap(row) || Array.isArray(row) ? read(row) : noObject;
  };
}

const noObject = Symbol('no object');
