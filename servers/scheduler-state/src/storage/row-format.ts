import { hash } from 'node:crypto';
import type { StructType, Type } from 'tamis';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { isBase64 } from '@tamis/scheduler-model/row-type.js';

/**
 * Encodes rows as a letter for the format, followed by JSON. JSON, because the native parser reads it several times faster than
 * JavaScript can read other formats. Operators can read it too.
 */
export type RowFormat = ReturnType<typeof createRowFormat>;

/** @throws RowFormatError */
export type RowReader = (table: string, text: string) => object;

/** A string that is not a valid row. */
export class RowFormatError extends Error {
  override readonly name = 'RowFormatError';
}

/** Marks a row with all its fields. */
const whole = 'w';
/** Marks a row of a known shape without fields that have their zero value. */
const packed = 'p';

/**
 * Rows of a table with a shape are packed to the fields of the shape, and are read back complete: with the same fields in the
 * same order as when written, and interned strings shared. Rows of other tables are stored whole.
 *
 * A row nested in a field of another one, such as the job of an allocation, is written there as a separate string. It is one
 * object in memory, however many rows contain it, also after reading. A string that refers to it stays a string.
 */
export function createRowFormat(shapes: ReadonlyMap<string, StructType>) {
  const ofTables = new Set(shapes.values());
  const inner = new Map([...ofTables].map((shape) => [shape, innerRows(shape, ofTables)]));
  const written = new WeakMap<object, string>();
  /** A job just written is written again as its own version. */
  let last: { readonly row: object; readonly text: string } | null = null;

  function writeInner(shape: StructType, row: object): string {
    const known = written.get(row);
    if (known !== undefined) return known;
    const text = writePacked(shape, row);
    written.set(row, text);
    return text;
  }

  function writePacked(shape: StructType, row: object): string {
    const fields = inner.get(shape) ?? [];
    const given = packFields(shape, row as Fields, fields);
    for (const [name, of] of fields) {
      const value = (row as Fields)[name];
      if (typeof value === 'string') given[name] = value;
      else if (typeof value === 'object' && value !== null) given[name] = writeInner(of, value);
    }
    return JSON.stringify(given);
  }

  return {
    write(table: string, row: object): string {
      const shape = shapes.get(table);
      if (shape === undefined) return whole + JSON.stringify(tag(row));
      if (last?.row !== row) last = { row, text: written.get(row) ?? writePacked(shape, row) };
      return packed + last.text;
    },
    /** Creates a reader of a store that deduplicates equal objects. */
    reader(): RowReader {
      /** Keyed by hashes, because the strings together may be larger than all rows. */
      const shared = new Map<StructType, Map<string, object>>();

      function readPacked(shape: StructType, text: string): object {
        const known = shared.get(shape) ?? new Map<string, object>();
        shared.set(shape, known);
        const name = hash('sha256', text, 'base64');
        const row = known.get(name) ?? complete(shape, readObject(text) as Record<string, unknown>);
        known.set(name, row);
        return row;
      }

      function complete(shape: StructType, given: Record<string, unknown>): object {
        const rows: [string, object | string][] = [];
        for (const [name, of] of inner.get(shape) ?? []) {
          const text = given[name];
          if (typeof text !== 'string') continue;
          rows.push([name, text.startsWith('{') ? readPacked(of, text) : text]);
          given[name] = null;
        }
        return Object.assign(completeObject(shape, given), Object.fromEntries(rows));
      }

      const isShared = sharedShapes(shapes, inner);
      return (table, text) => {
        const shape = shapes.get(table);
        const rest = text.slice(1);
        switch (text[0]) {
          case whole:
            return readObject(rest);
          case packed:
            if (shape === undefined)
              throw new RowFormatError(`table ${table} has no shape to complete it by`);
            return isShared.has(shape)
              ? readPacked(shape, rest)
              : complete(shape, readObject(rest) as Record<string, unknown>);
          default:
            throw new RowFormatError('it has a form that this version does not know');
        }
      };
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
type InnerRows = readonly (readonly [name: string, shape: StructType])[];

/** Returns the fields of a row that contain a row of another table or nothing. */
function innerRows({ properties }: StructType, ofTables: ReadonlySet<StructType>): InnerRows {
  return [...properties.values()].flatMap(({ property, type }) => {
    if (type.kind !== 'struct' || type.nullDepth === 0) return [];
    const row = [...ofTables].find((each) => each.properties === type.properties);
    return row === undefined ? [] : [[property, row] as const];
  });
}

/** Returns the shapes of rows that appear in several places: in two tables, or in another row. */
function sharedShapes(
  shapes: ReadonlyMap<string, StructType>,
  inner: ReadonlyMap<StructType, InnerRows>,
): ReadonlySet<StructType> {
  const places = [...shapes.values(), ...[...inner.values()].flat().map(([, shape]) => shape)];
  return new Set(places.filter((shape, at) => places.indexOf(shape) !== at));
}

function readObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RowFormatError('it is no JSON');
  }
  if (typeof value !== 'object' || value === null) throw new RowFormatError('it is no object');
  return text.includes(tagInText) ? (untag(value) as object) : value;
}

/**
 * JSON has no 64-bit integers, so a bigint is a string of this character and its digits. A string that starts with this character
 * gets the character and an equals sign prepended. Field names are never tagged.
 */
const mark = '\0';
/** Prefix of a tagged string in JSON. Most rows do not contain it and need no second pass. */
const tagInText = '"\\u0000';

function tagScalar(value: unknown): unknown {
  if (typeof value === 'bigint') return `${mark}${value}`;
  return typeof value === 'string' && value.startsWith(mark) ? `${mark}=${value}` : value;
}

function tag(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return tagScalar(value);
  if (Array.isArray(value)) return value.map(tag);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, tag(item)]));
}

/** Changes objects and lists in place: they were just parsed and are not shared. */
function untag(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? untagText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const item = fields[name];
    const plain = untag(item);
    // The parser made `__proto__` an ordinary field; defining the property keeps it one.
    if (plain !== item) Object.defineProperty(fields, name, { value: plain });
  }
  return fields;
}

function untagText(text: string): unknown {
  if (text[1] === '=') return text.slice(2);
  const digits = text.slice(1);
  if (/^-?\d+$/.test(digits)) return BigInt(digits);
  throw new RowFormatError('it holds an integer without digits');
}

/** Returns the value without fields that `completeObject` restores; undefined if nothing remains. */
function pack(shape: Type, value: unknown): unknown {
  if (shape.nullDepth > 0) return value === null ? undefined : packPresent(shape, value);
  switch (shape.kind) {
    case 'struct': {
      const given = packFields(shape, value as Fields);
      return Object.keys(given).length === 0 ? undefined : given;
    }
    case 'bool':
      return value === true ? true : undefined;
    case 'int':
    case 'uint':
    case 'bytes':
    case 'time':
    case 'float64':
      return value === 0 ? undefined : tagScalar(value);
    case 'string':
      return value === (isBase64(shape) ? null : '') ? undefined : tagScalar(value);
    default:
      return value === null ? undefined : packPresent(shape, value);
  }
}

/** Packs a value that must not be omitted: an element, an entry, or a nullable value that is not null. */
function packPresent(shape: Type, value: unknown): unknown {
  if (value === null) return null;
  switch (shape.kind) {
    case 'struct':
      return packFields(shape, value as Fields);
    case 'list':
      return (value as readonly unknown[]).map((item) => packPresent(shape.of, item));
    case 'map':
      return packMap(shape.of, value as Fields);
    case 'any':
      return tag(value);
    default:
      return tagScalar(value);
  }
}

/** Most maps contain only unchanged values and need no copy. */
function packMap(of: Type, map: Fields): unknown {
  const packed = Object.entries(map).map(([key, item]) => [key, packPresent(of, item)] as const);
  const isSame = packed.every(([key, item]) => item === map[key]);
  return isSame ? map : Object.fromEntries(packed);
}

function packFields(shape: StructType, value: Fields, without: InnerRows = []): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { property: name, type } of shape.properties.values()) {
    const item = value[name];
    if (item === undefined || without.some(([inner]) => inner === name)) continue;
    const retained = pack(type, item);
    if (retained !== undefined) given[name] = retained;
  }
  return given;
}
