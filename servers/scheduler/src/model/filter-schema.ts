import { defineSchema, t, type FieldDefinitions, type Schema, type Type } from 'tamis';
import type { Shape, StructShape } from './shape.js';

/** The schema that filters on rows of this shape are checked against. Hidden fields do not exist for them. */
export function filterSchema(shape: StructShape): Schema {
  return defineSchema(fieldsOf(shape));
}

function fieldsOf(shape: StructShape): FieldDefinitions {
  const fields = Object.entries(shape.fields).map(([name, field]) => [
    name,
    field.kind === 'hidden' ? t.hidden(typeOf(field.of)) : (integerKindOf(name, field) ?? typeOf(field)),
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

/** Times are nanoseconds since 1970, sizes mebibytes; rows hold integers. By name, because they are called alike everywhere. */
const integerKinds: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['SubmitTime', t.time('ns')],
  ['CreateTime', t.time('ns')],
  ['ModifyTime', t.time('ns')],
  ['MemoryMB', t.bytes('MiB')],
  ['MemoryMaxMB', t.bytes('MiB')],
  ['DiskMB', t.bytes('MiB')],
  ['SizeMB', t.bytes('MiB')],
  ['SecretsMB', t.bytes('MiB')],
  ['MaxFileSizeMB', t.bytes('MiB')],
]);

function integerKindOf(name: string, { kind }: Shape): Type | null {
  return kind === 'int' ? (integerKinds.get(name) ?? null) : null;
}
