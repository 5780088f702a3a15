import { checkOptions } from '../diagnostics/options.js';
import { createSchema, type Schema } from './schema.js';
import { buildStruct } from './struct.js';
import type {
  AnyType,
  ArrayType,
  Field,
  FieldDefinition,
  FieldDefinitions,
  ListType,
  MapType,
  Nullable,
  ScalarKind,
  ScalarType,
  SpecialField,
  StructType,
  Type,
} from './type.js';

export type { FieldDefinition, FieldDefinitions, SpecialField } from './type.js';

/**
 * Describes the rows of a list: which fields exist and of which kinds they are.
 *
 * ```ts
 * const jobs = defineSchema({ ID: t.string, Priority: t.int, Meta: t.map(t.string), Stop: t.bool });
 * type Job = RowOf<typeof jobs>;
 * ```
 *
 * @throws TypeError for a definition that is no type, or two fields with one name.
 */
export function defineSchema<Fields extends FieldDefinitions>(fields: Fields): Schema<Fields> {
  return createSchema(struct(fields));
}

function scalar<Kind extends ScalarKind>(kind: Kind): ScalarType<Kind> {
  return Object.freeze({ kind, nullDepth: 0 });
}

function oneOf<const Text extends string>(...values: readonly [Text, ...Text[]]): ScalarType<'string', Text> {
  if (!values.every((value) => typeof value === 'string'))
    throw new TypeError('t.oneOf: values must be texts');
  return Object.freeze({ kind: 'string', nullDepth: 0, values: Object.freeze([...values]) });
}

function list<Of extends Type>(of: Of): ListType<Of> {
  return Object.freeze({ kind: 'list', of: requireType(of, 't.list'), nullDepth: 0 });
}

function array<Of extends Type>(of: Of, length: number): ArrayType<Of> {
  if (!Number.isSafeInteger(length) || length < 0)
    throw new TypeError(`t.array: length must be a count, got ${length}`);
  return Object.freeze({ kind: 'array', of: requireType(of, 't.array'), length, nullDepth: 0 });
}

/** What is known of the maps of a type. */
export interface MapOptions {
  /** Keys that they often have. Rows may have others, and filters may ask for them. */
  readonly keys?: readonly string[];
}

function map<Of extends Type>(of: Of, options: MapOptions = {}): MapType<Of> {
  checkOptions('t.map', options, ['keys']);
  const { keys } = options;
  if (keys !== undefined && !(Array.isArray(keys) && [...keys].every((key) => typeof key === 'string')))
    throw new TypeError('t.map: keys must be a list of texts');
  return Object.freeze({
    kind: 'map',
    of: requireType(of, 't.map'),
    textKeys: true,
    integerKeys: false,
    nullDepth: 0,
    ...(keys === undefined ? {} : { keys: Object.freeze([...keys]) }),
  });
}

function struct<Fields extends FieldDefinitions>(fields: Fields): StructType<Fields> {
  return buildStruct(
    null,
    Object.entries(fields).map(([property, definition]) => toField(property, definition)),
  );
}

function toField(property: string, definition: FieldDefinition): Field {
  if (isSpecialField(definition)) {
    const { type, hidden, name } = definition.field;
    return Object.freeze({ name: name ?? property, property, type, hidden });
  }
  return Object.freeze({
    name: property,
    property,
    type: requireType(definition, `field ${property}`),
    hidden: false,
  });
}

function nullable<T extends Type>(type: T): Nullable<T> {
  return Object.freeze({ ...requireType(type, 't.nullable'), nullDepth: 1 });
}

function hidden<T extends Type>(type: T): SpecialField<T, true, null> {
  return { field: { type: requireType(type, 't.hidden'), hidden: true, name: null } };
}

function renamed<Name extends string, T extends Type>(name: Name, type: T): SpecialField<T, false, Name> {
  return { field: { type: requireType(type, 't.renamed'), hidden: false, name } };
}

function isSpecialField(definition: FieldDefinition): definition is SpecialField {
  return typeof definition === 'object' && definition !== null && 'field' in definition;
}

function requireType<T extends Type>(type: T, where: string): T {
  if (typeof type !== 'object' || type === null || !('kind' in type) || !('nullDepth' in type)) {
    throw new TypeError(`${where}: expected a type such as t.string, got ${typeof type}`);
  }
  return type;
}

const any: AnyType = Object.freeze({ kind: 'any', nullDepth: 0 });

/** The types that a schema is made of. */
export const t = Object.freeze({
  /** Text. */
  string: scalar('string'),
  /** Text that is one of these, as far as anybody knows: `lint` warns of filters that ask for others. */
  oneOf,
  bool: scalar('bool'),
  /** A signed integer of up to 64 bits: safe-integer numbers and bigints, mixed as you like. */
  int: scalar('int'),
  /** An unsigned integer of up to 64 bits, held like `t.int`. */
  uint: scalar('uint'),
  /** A number that is compared in single precision. */
  float32: scalar('float32'),
  float64: scalar('float64'),
  /** An RFC 3339 timestamp, held and compared as text. */
  time: scalar('time'),
  /** Anything: the value's own kind decides. */
  any,
  /** A list of one type; null is a nil list. */
  list,
  /** A list of fixed length. */
  array,
  /**
   * A map from text to one type; null is a nil map. `t.map(t.string, { keys: ['os.name'] })` names keys that such maps often
   * have: editors offer them, and filters that ask for them are as fast as those that ask for fields.
   */
  map,
  /** Named fields. A field that is absent or null reads as the zero value of its kind. */
  struct,
  /** The same type, or null. */
  nullable,
  /** A field that filters cannot see: it behaves as if it did not exist. */
  hidden,
  /** A field that filters know by another name. */
  renamed,
});
