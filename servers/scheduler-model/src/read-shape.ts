import type { StructType, Type } from 'tamis';
import { quote } from './quote.js';
import { isBase64, maximumOf, unknownRowType, type Input } from './row-type.js';

/** A value in a body or an import that does not have the kind its place declares. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  /** The place, such as `Job.TaskGroups[0].Count`; empty for the value as a whole. */
  readonly path: string;
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** Deepest nesting inside a field of free form. Stops bodies that exhaust the stack when they are written out. */
const maxFreeDepth = 64;

/**
 * Reads the given part of a value: names match in any case, null means not given, unknown names are ignored.
 *
 * @param path what to call the value in errors.
 * @throws ShapeError for the first value of a wrong kind.
 */
export function readShape<S extends StructType>(shape: S, value: unknown, path: string): Input<S> {
  return read(shape, value, path) as Input<S>;
}

/** The same where the compiler does not know the shape. */
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

/** Halves of surrogate pairs, which UTF-8 cannot carry into headers and logs, become U+FFFD. */
function wellFormed(text: string): string {
  return anySurrogate.test(text) ? text.replace(loneSurrogates, '\ufffd') : text;
}

const anySurrogate = /[\ud800-\udfff]/;
const loneSurrogates = /\p{Surrogate}/gu;

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

/** A pattern that counts off groups of four takes twenty times as long for a text of megabytes. */
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
  // What is safe is within 64 bits; only its sign may be wrong. To compare it with a bigint takes twenty times as long.
  if (typeof value === 'number' && Number.isSafeInteger(value) && (value >= 0 || min < 0n)) return value;
  if (typeof value === 'bigint' && value >= min && value <= max) return value;
  return refuse(path, what, value);
}

/** Null inside a list is the zero value of its kind, as Go reads it; the completion makes it so. */
function readElement(shape: Type, value: unknown, path: string): unknown {
  if (value !== null && value !== undefined) return read(shape, value, path);
  // A row read before it is completed has only zero values.
  return shape.kind === 'struct' && shape.nullDepth === 0 ? {} : null;
}

function readMap(of: Type, value: unknown, path: string): unknown {
  const object = requireObject(value, path);
  // Maps may have tens of thousands of entries: those in which nothing is to be changed or refused are not copied.
  if (of.kind === 'string' && isTextMap(object)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, item]: [string, unknown]) => [
      wellFormed(key),
      readElement(of, item, `${path}[${quote(key)}]`),
    ]),
  );
}

/** Whether keys and values are texts without any surrogates. */
function isTextMap(object: object): boolean {
  // A quarter of the time that the lists of entries take.
  for (const key in object) {
    const item = (object as Readonly<Record<string, unknown>>)[key];
    if (typeof item !== 'string' || anySurrogate.test(item) || anySurrogate.test(key)) return false;
  }
  return true;
}

/** The fields of a struct by their names in lower case, made once per struct. */
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
