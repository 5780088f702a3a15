import { checkSchema } from '../../language/diagnostics/options.js';
import type { DataPath } from './scope-at.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Type } from '../../language/schema/type.js';

/** A field as shown to users. */
export interface FieldInfo {
  readonly name: string;
  /** `string`, `list`, or several if the rows differ: `number | null`. */
  readonly kind: string;
}

/** Names and values to suggest, from the schema if there is one, else from the first rows. */
export interface FieldCatalog {
  children(path: DataPath): readonly FieldInfo[];
  /** Returns only the names of the fields at a path. */
  keys(path: DataPath): readonly string[];
  /** Returns the most frequent values of a field, or of the elements of a list, as strings, the most frequent first. */
  values(path: DataPath): readonly string[];
}

/** Number of sampled rows. Later rows may have more fields, but sampling must not take noticeable time. */
const sampleSize = 2_000;

/** Maximum number of names at one path. A map with a million keys has no field names worth listing. */
const maxNames = 500;

/** Maximum number of values of a field, and their maximum length in characters. Others are not worth suggesting. */
const maxValues = 50;
const maxValueLength = 80;

/** One path in the rows: its declared type, if any, and its sampled values. */
interface Position {
  readonly type: Type | null;
  readonly values: readonly unknown[];
}

/**
 * Creates a catalogue of the fields and values of rows, for `keys` and `values` of `complete`. Reads the first 2,000 rows.
 *
 * ```ts
 * const catalog = createFieldCatalog(jobs, schema);
 * complete(text, offset, { schema, keys: (path) => catalog.keys(path), values: (path) => catalog.values(path) });
 * ```
 *
 * @throws TypeError if the rows are not an array, or the schema is invalid.
 */
export function createFieldCatalog(rows: readonly object[], schema: Schema | null = null): FieldCatalog {
  if (!Array.isArray(rows)) throw new TypeError('createFieldCatalog: rows must be an array');
  if (schema !== null) checkSchema('createFieldCatalog', schema);
  const root: Position = { type: schema?.root ?? null, values: rows.slice(0, sampleSize) };
  const placeAt = (path: DataPath): Position | null => {
    let position: Position | null = root;
    for (const part of path) position = position === null ? null : step(position, part);
    return position;
  };
  return {
    children(path) {
      const position = placeAt(path);
      if (position === null) return [];
      return childNames(position).map((name) => ({ name, kind: kindOf(step(position, name)) }));
    },
    keys(path) {
      const position = placeAt(path);
      return position === null ? [] : childNames(position);
    },
    values(path) {
      const position = placeAt(path);
      return position === null ? [] : frequentTexts(position.values);
    },
  };
}

function step({ type, values }: Position, part: string | null): Position | null {
  if (part === null)
    return { type: elementType(type), values: values.flatMap(elementsOf).slice(0, sampleSize) };
  if (type?.kind === 'struct') {
    const field = type.fields.get(part);
    if (field === undefined) return null;
    return { type: field.type, values: values.flatMap((value) => ownValue(value, field.property)) };
  }
  return { type: elementType(type), values: values.flatMap((value) => ownValue(value, part)) };
}

function elementType(type: Type | null): Type | null {
  return type !== null && 'of' in type ? type.of : null;
}

function elementsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxNames);
  return isObject(value) ? Object.values(value).slice(0, maxNames) : [];
}

/** Returns the value under a key, as a list of at most one. */
function ownValue(value: unknown, key: string): unknown[] {
  return (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, key)
    ? [(value as Readonly<Record<string, unknown>>)[key]]
    : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function childNames({ type, values }: Position): string[] {
  if (type?.kind === 'struct') return [...type.fields.keys()];
  const names = new Set<string>();
  for (const value of values) {
    if (!isObject(value)) continue;
    for (const key of Object.keys(value)) {
      names.add(key);
      if (names.size >= maxNames) return [...names];
    }
  }
  return [...names];
}

function kindOf(position: Position | null): string {
  if (position === null) return '';
  const { type, values } = position;
  if (type !== null && type.kind !== 'any') return type.nullDepth > 0 ? `nullable ${type.kind}` : type.kind;
  const kinds = new Set(values.map(kindOfValue));
  return [...kinds].join(' | ');
}

function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'map';
  return typeof value === 'bigint' ? 'number' : typeof value === 'boolean' ? 'bool' : typeof value;
}

function frequentTexts(values: readonly unknown[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    for (const each of Array.isArray(value) ? value.slice(0, maxNames) : [value]) {
      if (typeof each === 'object') continue;
      const text = String(each);
      if (text.length <= maxValueLength) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.slice(0, maxValues).map(([text]) => text);
}
