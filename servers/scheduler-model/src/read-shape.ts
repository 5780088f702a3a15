import type { StructType, Type } from 'tamis';
import { quote } from './quote.js';
import { isBase64, maximumOf, unknownRowType, type Input } from './row-type.js';

/** A value in a body or import that has the wrong type. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  /** Path of the value, such as `Job.TaskGroups[0].Count`; empty for the whole value. */
  readonly path: string;
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** Maximum nesting in a free-form field. Prevents bodies that exhaust the stack when serialized. */
const maxFreeDepth = 64;

/**
 * Reads the declared fields of a value. Names ignore case, null means missing, unknown names are ignored.
 *
 * @param path name of the value in errors.
 * @throws ShapeError for the first value of a wrong type.
 */
export function readShape<S extends StructType>(shape: S, value: unknown, path: string): Input<S> {
  return read(shape, value, path) as Input<S>;
}

/** Reads an object whose shape the compiler does not know. */
export function readObject(
  shape: StructType,
  value: unknown,
  path: string,
): Readonly<Record<string, unknown>> {
  return readStruct(shape, value, path);
}

function read(shape: Type, value: unknown, path: string): unknown {
  switch (shape.kind) {
    case 'string':
      if (isBase64(shape)) return readBase64(value, path);
      return typeof value === 'string' ? wellFormed(value) : refuse(path, 'a string', value);
    case 'bool':
      return typeof value === 'boolean' ? value : refuse(path, 'true or false', value);
    case 'int':
    case 'bytes':
      return readInt64(value, path);
    case 'uint':
      return readUnsigned(value, path, maximumOf(shape));
    case 'float64':
      return typeof value === 'number' || typeof value === 'bigint'
        ? Number(value)
        : refuse(path, 'a number', value);
    case 'time':
      if (shape.unit !== undefined) return readInt64(value, path);
      return typeof value === 'string' && rfc3339.test(value)
        ? value
        : refuse(path, 'an RFC 3339 time', value);
    case 'any':
      return checkDepth(value, path, maxFreeDepth);
    case 'list':
      return Array.isArray(value)
        ? value.map((item, at) => readElement(shape.of, item, `${path}[${at}]`))
        : refuse(path, 'a list', value);
    case 'map':
      return readMap(shape.of, value, path);
    case 'struct':
      return readStruct(shape, value, path);
    default:
      return unknownRowType(shape);
  }
}

/** Replaces unpaired surrogates, which UTF-8 headers and logs cannot contain, with U+FFFD. */
function wellFormed(text: string): string {
  return anySurrogate.test(text) ? text.replace(loneSurrogates, '\ufffd') : text;
}

const anySurrogate = /[\ud800-\udfff]/;
const loneSurrogates = /\p{Surrogate}/gu;

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

/** A pattern that matches groups of four takes 20 times as long for strings of megabytes. */
function readBase64(value: unknown, path: string): string {
  const isRight = typeof value === 'string' && value.length % 4 === 0 && base64Text.test(value);
  return isRight ? value : refuse(path, 'base64 text', value);
}

const maxUint64 = 2n ** 64n - 1n;
const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

function readInt64(value: unknown, path: string): number | bigint {
  return readInteger(value, path, 'an integer of 64 bits', minInt64, maxInt64);
}

function readUnsigned(value: unknown, path: string, maximum: number | null): number | bigint {
  if (maximum === null) return readInteger(value, path, 'an unsigned integer of 64 bits', 0n, maxUint64);
  const isInRange = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maximum;
  return isInRange ? value : refuse(path, `an integer from 0 to ${maximum}`, value);
}

function readInteger(value: unknown, path: string, what: string, min: bigint, max: bigint): number | bigint {
  // Safe integers fit in 64 bits, so only the sign may be wrong. Comparing with a bigint takes 20 times as long.
  if (typeof value === 'number' && Number.isSafeInteger(value) && (value >= 0 || min < 0n)) return value;
  if (typeof value === 'bigint' && value >= min && value <= max) return value;
  return refuse(path, what, value);
}

/** Null in a list is the zero value of its type, as in Go; the completion fills it in. */
function readElement(shape: Type, value: unknown, path: string): unknown {
  if (value !== null && value !== undefined) return read(shape, value, path);
  // A row has only zero values before it is completed.
  return shape.kind === 'struct' && shape.nullDepth === 0 ? {} : null;
}

function readMap(of: Type, value: unknown, path: string): unknown {
  const object = requireObject(value, path);
  // Maps may have tens of thousands of entries, so unchanged valid ones are not copied.
  if (of.kind === 'string' && isTextMap(object)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, item]: [string, unknown]) => [
      wellFormed(key),
      readElement(of, item, `${path}[${quote(key)}]`),
    ]),
  );
}

/** Whether all keys and values are strings without surrogates. */
function isTextMap(object: object): boolean {
  // Takes a quarter of the time of a list of entries.
  for (const key in object) {
    const item = (object as Readonly<Record<string, unknown>>)[key];
    if (typeof item !== 'string' || anySurrogate.test(item) || anySurrogate.test(key)) return false;
  }
  return true;
}

/** Caches the fields of each struct by lower-case name. */
const foldedNames = new WeakMap<StructType['properties'], ReadonlyMap<string, string>>();

function readStruct(shape: StructType, value: unknown, path: string): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(requireObject(value, path))) {
    const name = fieldName(shape, key);
    if (name === null || item === null || item === undefined) continue;
    const field = shape.properties.get(name);
    if (field !== undefined) given[name] = read(field.type, item, path === '' ? name : `${path}.${name}`);
  }
  return given;
}

/** Returns the field that a key names, ignoring case; null without one. */
export function fieldName({ properties }: StructType, key: string): string | null {
  if (properties.has(key)) return key;
  let names = foldedNames.get(properties);
  if (names === undefined) {
    names = new Map([...properties.keys()].map((name) => [name.toLowerCase(), name]));
    foldedNames.set(properties, names);
  }
  return names.get(key.toLowerCase()) ?? null;
}

function requireObject(value: unknown, path: string): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value
    : refuse(path, 'an object', value);
}

function checkDepth(value: unknown, path: string, left: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) throw new ShapeError(path, `nested deeper than ${maxFreeDepth} levels`);
  for (const item of Object.values(value)) checkDepth(item, path, left - 1);
  return value;
}

function refuse(path: string, expected: string, value: unknown): never {
  throw new ShapeError(path, `expected ${expected}, found ${describe(value)}`);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return `the string ${quote(value, 40)}`;
    case 'number':
    case 'bigint':
      return `the number ${value}`;
    case 'boolean':
      return String(value);
    default:
      return 'an object';
  }
}
