import type { StructType, Type } from 'tamis';
import { intern } from './intern.js';
import { isBase64, isInterned, unknownRowType, type Input, type Row } from './row-type.js';

/**
 * Completes the given fields to a row: missing fields get the zero value of their type. All rows of a shape have the same fields
 * in the same order, which makes filters fast.
 */
export function completeShape<S extends StructType>(shape: S, given: Input<NoInfer<S>>): Row<S> {
  return complete(shape, given) as Row<S>;
}

/** Completes an object whose shape the compiler does not know. */
export function completeObject(shape: StructType, given: object): object {
  return completeStruct(shape, given as Readonly<Record<string, unknown>>);
}

function complete(shape: Type, given: unknown): unknown {
  if (given === undefined || given === null) return zeroOf(shape);
  switch (shape.kind) {
    case 'string':
      if (shape.annotations === undefined) return given;
      if (isInterned(shape)) return intern(given as string);
      return isBase64(shape) && given === '' ? null : given;
    case 'list':
      return (given as readonly unknown[]).map((item) => complete(shape.of, item));
    case 'map': {
      // Strings need no completion, and maps of strings may be large.
      if (shape.of.kind === 'string' && !isInterned(shape.of) && hasOnlyTexts(given)) return given;
      const entries = Object.entries(given as Readonly<Record<string, unknown>>);
      return Object.fromEntries(entries.map(([key, item]) => [intern(key), complete(shape.of, item)]));
    }
    case 'struct':
      return completeStruct(shape, given as Readonly<Record<string, unknown>>);
    case 'time':
      return shape.unit === undefined && isZeroTime(given as string) ? null : given;
    default:
      return given;
  }
}

function hasOnlyTexts(map: object): boolean {
  for (const key in map)
    if (typeof (map as Readonly<Record<string, unknown>>)[key] !== 'string') return false;
  return true;
}

function zeroOf(shape: Type): unknown {
  if (shape.nullDepth > 0) return null;
  switch (shape.kind) {
    case 'string':
      return isBase64(shape) ? null : '';
    case 'bool':
      return false;
    case 'int':
    case 'uint':
    case 'bytes':
    case 'time':
    case 'float64':
      return 0;
    case 'struct':
      return copyTemplate(shape);
    case 'any':
    case 'list':
    case 'map':
      return null;
    default:
      return unknownRowType(shape);
  }
}

const templates = new WeakMap<StructType['properties'], object>();

/**
 * V8 turns an object into a slow dictionary when more than a dozen computed names are stored in it, and keeps the fast
 * layout when an object is spread. So each struct has a template, made fast by the JSON parser. Each of its numbers has been a
 * bigint once: V8 then treats the field as untyped, and rows with small, large and 64-bit integers share one layout.
 */
function copyTemplate({ properties }: StructType): Record<string, unknown> {
  const known = templates.get(properties);
  if (known !== undefined) return { ...known };
  const zeros = [...properties.values()].map(({ property, type }) => [property, zeroOf(type)]);
  const template = JSON.parse(JSON.stringify(Object.fromEntries(zeros))) as Record<string, unknown>;
  for (const [name, value] of Object.entries(template)) {
    if (typeof value !== 'number') continue;
    template[name] = 0n;
    template[name] = value;
  }
  templates.set(properties, template);
  return { ...template };
}

function completeStruct(
  shape: StructType,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const row = copyTemplate(shape);
  for (const name of Object.keys(given)) {
    const field = shape.properties.get(name);
    if (field !== undefined) row[name] = complete(field.type, given[name]);
  }
  return row;
}

function isZeroTime(time: string): boolean {
  return time.startsWith('0001-01-01T00:00:00') && /^[.0]*(?:[Zz]|\+00:00)$/.test(time.slice(19));
}
