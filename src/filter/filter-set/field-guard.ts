import { freeElements } from '../compile/frame/cost-model.js';
import { propertyReader } from '../compile/frame/indexed-field.js';
import { isRowOf } from '../../language/schema/row-guard.js';
import { createSchema } from '../../language/schema/schema.js';
import type { Field, StructType } from '../../language/schema/type.js';
import { sizeOfSet } from '../../language/values/data.js';

/** Whether a row is as the schema says at one field. */
export type FieldGuard = (row: unknown) => boolean;

/**
 * Whether a field is what the schema says, absent or null: then no test that cannot fail for rows of the schema fails, and
 * looking for an element costs nothing that counts. Takes time in proportion to what the field holds.
 *
 * @param isRequired absent and null do not pass: a clause fails for them.
 */
export function createFieldGuard(field: Field, isRequired = false): FieldGuard {
  const root: StructType = {
    kind: 'struct',
    name: null,
    fields: new Map([[field.name, field]]),
    properties: new Map([[field.property, field]]),
    nullDepth: 0,
  };
  const isRow = isRowOf(createSchema(root));
  const read = propertyReader(field.property);
  return (row) => {
    const value = read(row);
    return value === null || value === undefined ? !isRequired : !isLong(value) && isRow(row);
  };
}

/** Whether a list has so many elements that a search through it has a price, which can be more than a row may cost. */
export function isLong(value: unknown): boolean {
  return (Array.isArray(value) ? value.length : sizeOfSet(value)) > freeElements;
}
