import type { Field, FieldDefinitions, StructType } from './type.js';

/** Builds the two field maps of a struct. @throws TypeError if two visible fields have the same name. */
export function buildStruct<Fields extends FieldDefinitions = FieldDefinitions>(
  name: string | null,
  all: readonly Field[],
): StructType<Fields> {
  const fields = new Map<string, Field>();
  const properties = new Map<string, Field>();
  for (const field of all) {
    properties.set(field.property, field);
    if (field.hidden) continue;
    if (fields.has(field.name))
      throw new TypeError(`Two fields of ${name ?? 'a struct'} are named ${field.name}`);
    fields.set(field.name, field);
  }
  return Object.freeze({ kind: 'struct', name, fields, properties, nullDepth: 0 });
}
