import { freeElements } from '../compile/frame/cost-model.js';
import { propertyReader } from '../compile/frame/indexed-field.js';
import { isRowOf } from '../../language/schema/row-guard.js';
import { createSchema } from '../../language/schema/schema.js';
import type { Field, StructType } from '../../language/schema/type.js';
import { sizeOfSet } from '../../language/values/data.js';

/** Returns whether a row matches the schema at one field. */
export type FieldGuard = (row: unknown) => boolean;

/**
 * Creates a guard that accepts a field whose value matches the schema, is absent or is null. So clauses that cannot throw for
 * rows of the schema do not throw, and searching a list is not charged. Takes time proportional to the size of the field.
 * @param isRequired whether absent and null are rejected, because a clause throws for them
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

/** Whether a list is so long that searching it is charged, which can exceed the limit of a row. */
export function isLong(value: unknown): boolean {
  return (Array.isArray(value) ? value.length : sizeOfSet(value)) > freeElements;
}
