import { checkOptions, describe, hasNames } from '../diagnostics/options.js';
import { unitsOf, type SizeUnit, type TimeUnit, type Unit } from '../values/instance/index.js';
import { isRecord } from '../values/kind.js';
import { createSchema, type Schema } from './schema.js';
import { buildStruct } from './struct.js';
import type {
  Annotated,
  Annotations,
  AnyType,
  ArrayType,
  Field,
  FieldDefinition,
  FieldDefinitions,
  ListType,
  MapType,
  Nullable,
  SafeType,
  ScalarKind,
  ScalarType,
  SpecialField,
  StructType,
  Type,
  UnitType,
} from './type.js';

export type { FieldDefinition, FieldDefinitions, SpecialField } from './type.js';

/**
 * Creates a schema, which describes the rows of a list: the fields and their kinds.
 *
 * ```ts
 * const jobs = defineSchema({ ID: t.string, Priority: t.int, Meta: t.map(t.string), Stop: t.bool });
 * type Job = RowOf<typeof jobs>;
 * ```
 *
 * @throws TypeError if a definition is not a type, or two fields have the same name.
 */
export function defineSchema<Fields extends FieldDefinitions>(fields: Fields): Schema<Fields> {
  return createSchema(structOf('defineSchema', fields));
}

function scalar<Kind extends ScalarKind>(kind: Kind): ScalarType<Kind> {
  return Object.freeze({ kind, nullDepth: 0 });
}

/**
 * Returns a type that can be used directly (for rows with strings) or called with options. Schemas store the plain type, see
 * {@link requireType}.
 */
function callable<Kind extends ScalarKind, Call extends (...options: never) => Type>(
  kind: Kind,
  call: Call,
): ScalarType<Kind> & Call {
  return Object.freeze(Object.assign(call, { kind, nullDepth: 0 }));
}

function withUnit<Kind extends ScalarKind, Of extends Unit>(kind: Kind, unit: Of): UnitType<Kind, Of> {
  const units = unitsOf(kind)?.units ?? [];
  if (!units.includes(unit))
    throw new TypeError(`t.${kind}: the unit is one of ${units.join(', ')}, not ${describe(unit)}`);
  return Object.freeze({ kind, unit, nullDepth: 0 });
}

/** Options of IP address types. */
export interface IpOptions {
  /** Whether addresses may have ports: `10.0.0.1:4646`, `[::1]:80`. */
  readonly port?: boolean;
}

function ip(options: IpOptions = {}): ScalarType<'ip'> {
  checkOptions('t.ip', options, ['port']);
  const { port = false } = options;
  if (typeof port !== 'boolean')
    throw new TypeError(`t.ip: port must be true or false, got ${describe(port)}`);
  return port ? Object.freeze({ kind: 'ip', port, nullDepth: 0 }) : scalar('ip');
}

/** Options of times stored as strings. */
export interface TimeOptions {
  /** `UTC`: strings without a zone, and dates, are in UTC. If omitted, they are not times. */
  readonly zone?: 'UTC';
}

function time<const Of extends TimeUnit>(unit: Of): UnitType<'time', Of>;
function time(options: TimeOptions): ScalarType<'time'>;
function time(given: TimeUnit | TimeOptions): ScalarType<'time'> {
  if (!hasNames(given)) return withUnit('time', given as TimeUnit);
  checkOptions<TimeOptions>('t.time', given, ['zone']);
  const { zone } = given;
  if (zone === undefined) return scalar('time');
  if ((zone as unknown) !== 'UTC') throw new TypeError(`t.time: zone must be 'UTC', got ${describe(zone)}`);
  return Object.freeze({ kind: 'time', zone, nullDepth: 0 });
}

/** Options of integer types. */
export interface IntOptions<Safe extends boolean = boolean> {
  /** Whether the integers are within ±(2^53 - 1). Rows contain them as numbers, and rows with other values are rejected. */
  readonly safe?: Safe;
}

function integer<Kind extends 'int' | 'uint'>(kind: Kind) {
  return callable(
    kind,
    <const Safe extends boolean = false>(
      options: IntOptions<Safe> = {},
    ): Safe extends true ? SafeType<Kind> : ScalarType<Kind> => {
      checkOptions(`t.${kind}`, options, ['safe']);
      const { safe = false } = options;
      if (typeof safe !== 'boolean')
        throw new TypeError(`t.${kind}: safe must be true or false, got ${describe(safe)}`);
      const type: ScalarType<Kind> = { kind, nullDepth: 0, ...(safe ? { safe: true as const } : {}) };
      return Object.freeze(type) as Safe extends true ? SafeType<Kind> : ScalarType<Kind>;
    },
  );
}

function oneOf<const Text extends string>(...values: readonly [Text, ...Text[]]): ScalarType<'string', Text> {
  if (!values.every((value) => typeof value === 'string'))
    throw new TypeError('t.oneOf: values must be strings');
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

/** Options of map types. */
export interface MapOptions {
  /** Common keys of such maps. Rows may have others, and filters may use them. */
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
  return structOf('t.struct', fields);
}

function structOf<Fields extends FieldDefinitions>(caller: string, fields: Fields): StructType<Fields> {
  if (!hasNames(fields)) {
    throw new TypeError(
      `${caller}: fields must be an object such as { ID: t.string }, got ${describe(fields)}`,
    );
  }
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

function annotated<T extends Type, const A extends Annotations>(type: T, annotations: A): Annotated<T, A> {
  const { annotations: others, ...plain } = requireType(type, 't.annotated');
  if (!isRecord(annotations)) throw new TypeError('t.annotated: annotations must be an object');
  return Object.freeze({ ...plain, annotations: Object.freeze({ ...others, ...annotations }) }) as Annotated<
    T,
    A
  >;
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
  const given: unknown = type;
  const isObject = (typeof given === 'object' && given !== null) || typeof given === 'function';
  if (!isObject || !('kind' in given) || !('nullDepth' in given)) {
    // Declared as a record of all kinds, so that the compiler reports a kind without a constructor.
    const makers: Readonly<Record<ScalarKind, unknown>> = t;
    const name =
      typeof given === 'function'
        ? Object.keys(t).find((each) => t[each as keyof typeof t] === given)
        : undefined;
    if (name !== undefined && given !== makers.bytes)
      throw new TypeError(
        `${where}: t.${name} takes ${name === 'struct' ? 'fields: t.struct({ ID: t.string })' : `a type: t.${name}(t.string)`}`,
      );
    const hint = given === makers.bytes ? ': write t.bytes("B")' : '';
    throw new TypeError(`${where}: expected a type such as t.string, got ${typeof given}${hint}`);
  }
  // Converts `t.time`, which is also a function, to a plain type.
  return (typeof given === 'function' ? Object.freeze({ ...given }) : given) as T;
}

const any: AnyType = Object.freeze({ kind: 'any', nullDepth: 0 });

/** The types from which schemas are defined. */
export const t = Object.freeze({
  /** A string. */
  string: scalar('string'),
  /** A string that is normally one of these values; `lint` warns about filters that use others. */
  oneOf,
  bool: scalar('bool'),
  /**
   * A signed integer of up to 64 bits: safe-integer numbers and bigints, also mixed. `t.int({ safe: true })` is one within
   * ±(2^53 - 1), which rows have as a number.
   */
  int: integer('int'),
  /** An unsigned integer of up to 64 bits, stored like `t.int`. */
  uint: integer('uint'),
  /** A number in single precision. */
  float32: scalar('float32'),
  float64: scalar('float64'),
  /**
   * An instant: an RFC 3339 timestamp or a Date in the row. `t.time('ns')` is an integer since 1970, in s, ms, us or ns;
   * `t.time({ zone: 'UTC' })` also accepts dates and timestamps without a zone.
   */
  time: callable('time', time),
  /** A duration: a Go duration string (`1h30m`) in the row. `t.duration('ms')` is an integer, in s, ms, us or ns. */
  duration: callable('duration', <const Of extends TimeUnit>(unit: Of) => withUnit('duration', unit)),
  /** A size: an integer in the row, in B, KiB, MiB, GiB, kB, MB or GB. */
  bytes: <const Of extends SizeUnit>(unit: Of) => withUnit('bytes', unit),
  /** An IPv4 or IPv6 address, optionally with a zone. `t.ip({ port: true })` allows a port: `10.0.0.1:4646`. */
  ip: callable('ip', ip),
  /** A SemVer 2.0.0 version, optionally with a leading `v`. */
  version: scalar('version'),
  /** Any value: its kind at run time decides. */
  any,
  /** A list of one type; null is a nil list. */
  list,
  /** A list of fixed length. */
  array,
  /**
   * A map from strings to one type; null is a nil map. `t.map(t.string, { keys: ['os.name'] })` declares common keys: editors
   * suggest them, and filters on them are as fast as filters on fields.
   */
  map,
  /** Named fields. A field that is absent or null reads as the zero value of its kind. */
  struct,
  /** The same type, or null. */
  nullable,
  /**
   * The same type with annotations for your own use: `t.annotated(t.int, { description: 'how often' })`. They appear in
   * `type.annotations` and, if they are JSON, in the JSON form of the schema; Tamis does not use them. They are merged with
   * annotations that the type already has.
   */
  annotated,
  /** A field that is hidden from filters as if it did not exist. */
  hidden,
  /** A field with another name in filters. */
  renamed,
});
