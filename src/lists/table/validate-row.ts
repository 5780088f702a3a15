import { describe } from '../../language/diagnostics/options.js';
import { createSharing } from '../../language/schema/row-normalizer.js';
import { scalarGuard } from '../../language/schema/scalar-guard.js';
import type { Schema } from '../../language/schema/schema.js';
import { describeType, type StructType, type Type } from '../../language/schema/type.js';
import { withArticle } from '../../language/syntax/wording.js';
import { asData, entryReader, isMap } from '../../language/values/data.js';
import { isRecord } from '../../language/values/kind.js';
import { RowError } from './row-error.js';

/** Maximum nesting depth of a row. Also stops at cyclic values. */
const maxDepth = 500;

/** The container of a value within a row. Used to build the path of the value for error messages. */
interface Parent {
  /** The parent container; null for the row itself. */
  readonly parent: Parent | null;
  readonly name: string | number;
  readonly depth: number;
}

/** Validates and copies a value under a name or index of its parent. @throws RowError if the value has the wrong type. */
type Take = (value: unknown, parent: Parent | null, name: string | number) => unknown;

/**
 * Returns a function that validates a row and returns a deep copy of it: the fields of the schema in its order, null for absent
 * nullable or optional ones. Sets become lists and Dates their strings; a Map for a row or a struct becomes an object. If rows are trusted,
 * it returns the row itself, which must look like such a copy.
 *
 * @throws RowError naming the first invalid field, in schema order.
 */
export function createTake<T extends object>(schema: Schema, isTrusted: boolean): (row: unknown) => T {
  const dataOf = isTrusted ? (value: unknown) => value : asData;
  const share = isTrusted ? (text: string) => text : createSharing();
  const isStruct = isTrusted ? isRecord : isMap;
  /** One function per struct type, so that a struct type may contain itself. */
  const structs = new Map<StructType['properties'], Take>();

  function takeOf(type: Type): Take {
    const present = takePresent(type);
    if (type.nullDepth === 0) return present;
    return (value, parent, name) =>
      value === null || (value === undefined && !isTrusted) ? null : present(value, parent, name);
  }

  function takePresent(type: Type): Take {
    switch (type.kind) {
      case 'any':
        return isTrusted ? (value) => value : copyAny;
      case 'list':
      case 'array':
        return takeList(type, takeOf(type.of));
      case 'map':
        return takeMap(type, takeOf(type.of));
      case 'struct':
        return takeStruct(type);
      default: {
        const isOfType = scalarGuard(type);
        return (given, parent, name) => {
          const value = typeof given === 'object' ? dataOf(given) : given;
          if (!isOfType(value)) refuse(type, value, parent, name);
          return typeof value === 'string' ? share(value) : value;
        };
      }
    }
  }

  function takeList(type: Type, take: Take): Take {
    const length = type.kind === 'array' ? type.length : null;
    return (given, parent, name) => {
      const value = dataOf(given);
      if (!Array.isArray(value)) return refuse(type, value, parent, name);
      const here = within(parent, name);
      const list: unknown[] = isTrusted ? value : new Array<unknown>(value.length);
      // A loop, because array methods would skip the holes of a sparse array.
      for (let at = 0; at < value.length; at += 1) {
        const own = take(value[at], here, at);
        if (!isTrusted) list[at] = own;
      }
      if (length === null || list.length === length) return list;
      return fail(pathOf(parent, name), `must have ${length} elements, got ${list.length}`);
    };
  }

  function takeMap(type: Type, take: Take): Take {
    return (value, parent, name) => {
      if (!isRecord(value)) return refuse(type, value, parent, name);
      const here = within(parent, name);
      const entries = Object.entries(value).map(([key, each]) => [key, take(each, here, key)] as const);
      return isTrusted ? value : Object.fromEntries(entries);
    };
  }

  function takeStruct(type: StructType): Take {
    const known = structs.get(type.properties);
    if (known !== undefined) return known;
    const fields: [
      property: string,
      read: (row: object) => unknown,
      take: Take,
      missing: unknown,
      optional: boolean,
    ][] = [];
    const empty: Record<string, unknown> = {};
    const struct: Take = (value, parent, name) => {
      if (!isStruct(value)) return refuse(type, value, parent, name);
      const here = within(parent, name);
      // Copying an object with all keys keeps one hidden class for all rows; adding keys one by one would not.
      const row = isTrusted ? empty : { ...empty };
      const isOwn = !isTrusted && isRecord(value);
      for (const [property, read, take, missing, optional] of fields) {
        const isAbsent = isOwn && !Object.hasOwn(value, property);
        const found = isAbsent ? missing : read(value);
        // Null and a missing property mean the same to filters: the zero value.
        const own = optional && found === undefined ? null : take(found, here, property);
        if (!isTrusted) row[property] = own ?? null;
      }
      return isTrusted ? value : row;
    };
    structs.set(type.properties, struct);
    for (const [property, field] of type.properties) {
      // `defineProperty` instead of an assignment, because a field may be named __proto__.
      const settings = { value: null, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(empty, property, settings);
      const missing = field.type.nullDepth > 0 ? null : undefined;
      fields.push([property, entryReader(property), takeOf(field.type), missing, field.optional === true]);
    }
    return struct;
  }

  const take = takeStruct(schema.root);
  return (row) => take(row, null, '') as T;
}

/** Returns a copy of plain data. @throws RowError for other values. */
function copyAny(value: unknown, parent: Parent | null, name: string | number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    fail(pathOf(parent, name), `must be data, got a ${typeof value}`);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  const here = within(parent, name);
  const copy = (each: unknown, key: string | number): unknown => copyAny(each, here, key);
  if (Array.isArray(value)) return value.map(copy);
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, copy(each, String(key))]));
  if (value instanceof Set) return new Set([...value].map(copy));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each, key)]));
}

/** Returns the parent for a nested value. @throws RowError if nesting is too deep. */
function within(parent: Parent | null, name: string | number): Parent {
  const depth = parent === null ? 0 : parent.depth + 1;
  if (depth > maxDepth)
    fail(pathOf(parent, name).slice(0, 200), `is nested more than ${maxDepth} levels deep`);
  return { parent, name, depth };
}

function pathOf(parent: Parent | null, name: string | number): string {
  if (parent === null) return '';
  const path = pathOf(parent.parent, parent.name);
  if (typeof name === 'number') return `${path}[${name}]`;
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function refuse(type: Type, value: unknown, parent: Parent | null, name: string | number): never {
  const kind = describeType(type);
  if (parent === null) fail('', `must be an object, got ${describe(value)}`);
  if (value === undefined) fail(pathOf(parent, name), `is required (${kind})`);
  return fail(pathOf(parent, name), `must be ${withArticle(kind)}, got ${describe(value)}`);
}

function fail(path: string, problem: string): never {
  throw new RowError(path, `${path === '' ? 'row' : path} ${problem}`);
}
