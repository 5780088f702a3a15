import { describe } from '../language/diagnostics/options.js';
import { findFieldIndex } from '../filter/compile/frame/field-index.js';
import { findOrderedIndex } from '../filter/compile/frame/ordered-index.js';
import type { RowSource } from '../lists/query/source/row-source.js';
import { declaredField, nearestField } from '../language/schema/declared-field.js';
import { findFieldPath } from '../language/schema/field-path.js';
import { createSchema } from '../language/schema/schema.js';
import type { Field, StructType, Type } from '../language/schema/type.js';
import { isRecord } from '../language/values/kind.js';

/** Returns a source restricted to these fields: no filter, sort, count, explanation or error reveals another field. */
export function projectionSource<T extends object>(
  caller: string,
  source: RowSource<T>,
  fields: readonly string[] | undefined,
): RowSource<T> {
  if (fields === undefined) return source;
  const { root } = source.schema;
  if (!Array.isArray(fields) || fields.length === 0) {
    throw new TypeError(`${caller}: fields must be an array of field names, got ${describe(fields)}`);
  }
  const named = (fields as readonly unknown[]).map((name) => {
    const field = declaredField(root, name);
    if (field !== null) return field;
    const near = typeof name === 'string' ? nearestField(root, name) : null;
    throw new TypeError(
      `${caller}: fields names ${typeof name === 'string' ? JSON.stringify(name) : describe(name)}, and the schema has no such field that filters see${near === null ? '' : `: did you mean ${near}?`}`,
    );
  });
  const projected = [...root.properties.values()].filter((field) => named.includes(field));
  const { keyField } = source;
  if (keyField !== null && !projected.some(({ name }) => name === keyField)) {
    throw new TypeError(`${caller}: the key ${keyField} must be one of fields: page tokens name rows by it`);
  }
  const byName = new Map(projected.map((field) => [field.name, field]));
  const schema = createSchema(
    Object.freeze({
      ...root,
      fields: byName,
      properties: new Map(projected.map((field) => [field.property, field])),
    }),
  );
  const { bind } = source;
  return {
    ...source,
    ...(bind === undefined ? {} : { bind: (list) => projectionSource(caller, bind(list), fields) }),
    schema,
    whole: source.whole ?? source,
    sorts: new Map([...source.sorts].filter(([name]) => findFieldPath(schema, name, 'fields') !== null)),
    // Plans use only indexes of their own schema.
    filterIndexes: source.filterIndexes.flatMap((index) => {
      const field = findFieldPath(schema, index.field, 'fields');
      if (field === null) return [];
      return (
        ('isOrdered' in index ? findOrderedIndex<T>(schema, field) : findFieldIndex<T>(schema, field)) ?? []
      );
    }),
  };
}

type Present = (value: unknown) => unknown;

/** Returns a struct with only these properties. */
export function chosenFields(root: StructType, properties: readonly string[]): StructType {
  return { ...root, properties: new Map([...root.properties].filter(([name]) => properties.includes(name))) };
}

/** Returns the projection of a row for responses: the fields that the schema does not hide, and no undeclared ones. */
export function rowProjection<T extends object>(root: StructType): (row: T) => object {
  return structPresenter(root, new Map()) as (row: T) => object;
}

/**
 * Returns the projection for values of a type; null if values are unchanged. `open` contains the projections of recursive
 * structs.
 */
function presenterOf(type: Type, open: Map<unknown, Present>): Present | null {
  switch (type.kind) {
    case 'any':
      return (value) => asJson(value);
    case 'time':
      return (value) => (value instanceof Date ? asJson(value) : value);
    case 'list':
    case 'array': {
      const element = presenterOf(type.of, open);
      return element === null ? null : (value) => (Array.isArray(value) ? value.map(element) : value);
    }
    case 'map': {
      const element = presenterOf(type.of, open);
      return (value) => {
        const map = value instanceof Map ? Object.fromEntries(value as ReadonlyMap<string, unknown>) : value;
        if (element === null || !isRecord(map)) return map;
        return Object.fromEntries(Object.entries(map).map(([key, each]) => [key, element(each)]));
      };
    }
    case 'struct':
      return structPresenter(type, open);
    default:
      return null;
  }
}

function structPresenter({ properties }: StructType, open: Map<unknown, Present>): Present {
  const known = open.get(properties);
  if (known !== undefined) return known;
  let parts: readonly (readonly [Field, Present | null])[] = [];
  const present: Present = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const projected: [string, unknown][] = [];
    for (const [{ property }, serialize] of parts) {
      const each: unknown = (value as Readonly<Record<string, unknown>>)[property];
      if (each !== undefined) projected.push([property, serialize === null ? each : serialize(each)]);
    }
    // Defined one by one, so that a field may be named `__proto__`.
    return Object.fromEntries(projected);
  };
  open.set(properties, present);
  parts = [...properties.values()]
    .filter(({ hidden }) => !hidden)
    .map((field) => [field, presenterOf(field.type, open)] as const);
  return present;
}

/** Maximum nesting of values of undeclared kind. Prevents endless recursion in cyclic values. */
const maxDepth = 500;

/** Converts values of undeclared kind for JSON: dates to strings, maps to objects, sets to lists. */
function asJson(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw new RangeError('A row is nested too deeply');
  const inner = (each: unknown): unknown => asJson(each, depth + 1);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Set) return [...value].map(inner);
  if (Array.isArray(value)) return value.map(inner);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [String(key), inner(each)]));
}
