import { defineSchema, t, type FieldDefinitions, type Schema, type Type } from 'tamis';
import type { Shape, StructShape } from './shape.js';

/** The schema that filters on rows of this shape are checked against. Hidden fields do not exist for them. */
export function filterSchema(shape: StructShape): Schema {
  return defineSchema(fieldsOf(shape));
}

function fieldsOf(shape: StructShape): FieldDefinitions {
  const fields = Object.entries(shape.fields).map(([name, field]) => [
    name,
    field.kind === 'hidden' ? t.hidden(typeOf(field.of)) : typeOf(field),
  ]);
  return Object.fromEntries(fields) as FieldDefinitions;
}

function typeOf(shape: Shape): Type {
  switch (shape.kind) {
    case 'string':
    case 'label':
      return t.string;
    case 'bool':
      return t.bool;
    case 'int':
      return t.int;
    case 'uint':
      return t.uint;
    case 'float':
      return t.float64;
    case 'time':
      return t.nullable(t.time);
    case 'bytes':
      // No bytes are empty bytes, as they are for the clients' own language.
      return t.string;
    case 'any':
      return t.any;
    case 'list':
      return t.list(typeOf(shape.of));
    case 'map':
      return t.map(typeOf(shape.of));
    case 'struct':
      return t.struct(fieldsOf(shape));
    case 'nullable':
      return t.nullable(typeOf(shape.of));
    case 'hidden':
      throw new TypeError('Only a field of a struct can be hidden');
  }
}
