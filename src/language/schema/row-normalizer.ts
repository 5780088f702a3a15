import { asData, entryReader, isMap } from '../values/data.js';
import { isRecord } from '../values/kind.js';
import { checkSchema } from '../diagnostics/options.js';
import type { RowOf } from './row.js';
import type { Schema } from './schema.js';
import type { StructType, Type } from './type.js';
import { storedKindOf } from './value-kind.js';

/** Maximum length of a string that is shared between rows, in UTF-16 units. Longer ones rarely repeat. */
const maxSharedLength = 64;
/** Maximum number of distinct strings that are shared. Prevents fields with unique values from filling the memory. */
const maxShared = 10_000;

/**
 * Creates a function that converts decoded rows to the form that filters read fastest. All its results have the same shape: the
 * declared fields in the schema's order, null if missing. Equal strings become one string object, so that comparing them compares
 * addresses. Use it where rows enter a process, once for each kind of row.
 *
 * Sets become arrays, Dates become strings, and Maps that represent rows or structs become objects.
 *
 * Properties that the schema does not declare are left out; hidden ones stay. Maps and values of type `any` are taken
 * over as they are, the rows themselves are not changed.
 */
export function createRowNormalizer<S extends Schema>(schema: S): (row: object) => RowOf<S> {
  checkSchema('createIngest', schema);
  const share = createSharing();
  return shapeStruct(schema.root, share, new Map()) as (row: object) => RowOf<S>;
}

type Shape = (value: unknown) => unknown;

/** Returns a function that returns the same string object for equal strings. */
export function createSharing(): (text: string) => string {
  const shared = new Map<string, string>();
  return (text) => {
    if (text.length > maxSharedLength) return text;
    const known = shared.get(text);
    if (known !== undefined) return known;
    if (shared.size < maxShared) shared.set(text, text);
    return text;
  };
}

/** Recursive structs find their own normaliser in `done`. */
function shapeStruct(type: StructType, share: (text: string) => string, done: Map<unknown, Shape>): Shape {
  const known = done.get(type.properties);
  if (known !== undefined) return known;
  const fields: {
    readonly property: string;
    readonly read: (row: object) => unknown;
    readonly shape: Shape;
  }[] = [];
  const empty: Record<string, unknown> = {};
  const shape: Shape = (value) => {
    if (!isMap(value)) return value;
    // Copying one object and overwriting its keys keeps one hidden class; adding keys in turn would not.
    const row = { ...empty };
    const isRow = isRecord(value);
    for (const { property, read, shape: shapeField } of fields) {
      if (!isRow || Object.hasOwn(value, property)) row[property] = shapeField(read(value));
    }
    return row;
  };
  done.set(type.properties, shape);
  for (const [property, field] of type.properties) {
    // Not an assignment: a field may be named __proto__.
    Object.defineProperty(empty, property, {
      value: null,
      enumerable: true,
      writable: true,
      configurable: true,
    });
    fields.push({ property, read: entryReader(property), shape: shapeOf(field.type, share, done) });
  }
  return shape;
}

function shapeOf(type: Type, share: (text: string) => string, done: Map<unknown, Shape>): Shape {
  const stored = storedKindOf(type);
  if (stored === 'string' || stored === 'time') {
    return (given) => {
      const value = asData(given);
      return typeof value === 'string' ? share(value) : orNull(value);
    };
  }
  switch (type.kind) {
    case 'list':
    case 'array': {
      const element = shapeOf(type.of, share, done);
      return (given) => {
        const value = asData(given);
        return Array.isArray(value) ? value.map(element) : orNull(value);
      };
    }
    case 'struct': {
      const struct = shapeStruct(type, share, done);
      return (value) => orNull(struct(value));
    }
    default:
      return orNull;
  }
}

/** Missing values become null, so that every row has the same properties. */
function orNull(value: unknown): unknown {
  return value ?? null;
}
