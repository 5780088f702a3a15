import { createIngest } from '../schema/ingest.js';
import { isRowOf } from '../schema/row-guard.js';
import type { Schema } from '../schema/schema.js';
import type { StructType, Type } from '../schema/type.js';
import { isRecord } from '../values/kind.js';
import { findMisfit } from './misfit.js';
import { RowError } from './row-error.js';

/** Deepest nesting of what is copied without a schema. Stops values in a circle too. */
const maxDepth = 500;

type Copy = (value: unknown, path: string, depth: number) => unknown;

/**
 * Makes a function that checks a row and gives a copy of it, which shares nothing with the row that could be changed: the
 * fields of the schema in its order, null where one is absent that may be.
 *
 * @throws RowError for what is no whole row of the schema.
 */
export function createRowCopy<T extends object>(schema: Schema): (row: unknown) => T {
  const ingest = createIngest(schema) as (row: object) => unknown;
  const isRow = isRowOf(schema) as (value: unknown) => boolean;
  // Ingest makes lists and structs anew, and takes maps and values of any kind over.
  const detach = copyOf(schema.root, new Map());
  return (row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw misfit(schema, row);
    const shaped = ingest(row);
    if (!isRow(shaped)) throw misfit(schema, shaped);
    return (detach === null ? shaped : detach(shaped, '', 0)) as T;
  };
}

/** Makes a function that checks a row, and gives it back. @throws RowError */
export function createRowCheck<T extends object>(schema: Schema): (row: unknown) => T {
  const isRow = isRowOf(schema) as (value: unknown) => boolean;
  return (row) => {
    if (!isRow(row)) throw misfit(schema, row);
    return row as T;
  };
}

function misfit({ root }: Schema, row: unknown): RowError {
  const { path, problem } = findMisfit(root, row);
  return new RowError(path, `${path === '' ? 'The row' : path} ${problem}`);
}

/** What is left to copy of a value of this type; null where nothing is. Structs that hold themselves find their own in `open`. */
function copyOf(type: Type, open: Map<unknown, Copy | null>): Copy | null {
  switch (type.kind) {
    case 'any':
      return copyAny;
    case 'list':
    case 'array': {
      const element = copyOf(type.of, open);
      if (element === null) return null;
      return (value, path, depth) =>
        Array.isArray(value) ? value.map((each, at) => element(each, `${path}[${at}]`, depth + 1)) : value;
    }
    case 'map': {
      const element = copyOf(type.of, open);
      return (value, path, depth) =>
        isRecord(value)
          ? Object.fromEntries(
              Object.entries(value).map(([key, each]) => [
                key,
                element === null
                  ? copyAny(each, `${path}.${key}`, depth + 1)
                  : element(each, path, depth + 1),
              ]),
            )
          : value;
    }
    case 'struct':
      return copyOfStruct(type, open);
    default:
      return null;
  }
}

function copyOfStruct(type: StructType, open: Map<unknown, Copy | null>): Copy | null {
  if (open.has(type.properties)) {
    return (value, path, depth) => open.get(type.properties)?.(value, path, depth) ?? value;
  }
  open.set(type.properties, null);
  const fields = [...type.properties].flatMap(([property, field]): [string, Copy][] => {
    const copy = copyOf(field.type, open);
    return copy === null ? [] : [[property, copy]];
  });
  if (fields.length === 0) return null;
  const copyStruct: Copy = (value, path, depth) => {
    if (!isRecord(value)) return value;
    // Ingest has made it: a field that is written again keeps its place and the shape of the row.
    const row = value as Record<string, unknown>;
    for (const [property, copy] of fields) {
      if (!Object.hasOwn(row, property)) continue;
      const made = copy(row[property], path === '' ? property : `${path}.${property}`, depth + 1);
      Object.defineProperty(row, property, {
        value: made,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return row;
  };
  open.set(type.properties, copyStruct);
  return copyStruct;
}

/** A copy of data of any kind. @throws RowError for what is none, and for what is nested without end. */
function copyAny(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new RowError(path, `${path} must be data, not a ${typeof value}`);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw new RowError(path.slice(0, 200), 'The row is nested too deeply');
  if (Array.isArray(value)) return value.map((each, at) => copyAny(each, `${path}[${at}]`, depth + 1));
  if (value instanceof Date) return new Date(value);
  if (value instanceof Map) {
    return new Map(
      [...value].map(([key, each]) => [key, copyAny(each, `${path}.${String(key)}`, depth + 1)]),
    );
  }
  if (value instanceof Set) return new Set([...value].map((each) => copyAny(each, path, depth + 1)));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, copyAny(each, `${path}.${key}`, depth + 1)]),
  );
}
