import type { Type } from '../../language/schema/type.js';
import {
  existsIn,
  jsonKindOf,
  noParts,
  storedTypeOf,
  type ColumnAccess,
  type Items,
  type JsonKind,
  type SqlScalar,
} from '../column-access.js';
import { canBeInPath } from '../json-path.js';
import { indexPlace, keyPlace } from '../jsonb-access.js';
import type { Column } from '../stored-column.js';
import { and, raw, sql, type Sql } from '../sql.js';

/** What the access to JSON needs to know of a server. */
export interface JsonServer {
  readonly bytewise: (text: Sql) => Sql;
  /** Whether paths compare names with keys as written, with their escapes. Names other than words are then looked up. */
  readonly comparesEscapes: boolean;
  /** Whether the server has `JSON_TABLE`, without which elements and entries cannot be tested. */
  readonly hasTables: boolean;
}

/** A value at a path in a JSON expression. */
interface JsonPath {
  /** JSON, or NULL. */
  readonly base: Sql;
  /** The path without `$`. */
  readonly steps: string;
}

interface JsonValue extends JsonPath {
  readonly type: Type;
  readonly isMissing: Sql | null;
  /** Whether it is the value of a field of the row, for which a missing key counts as null. */
  readonly isRoot?: boolean;
}

/** The JSON types of each kind. MariaDB has only the first two of numbers. */
const typesOf: Readonly<Record<JsonKind, string>> = {
  string: "'STRING'",
  number: "'INTEGER', 'DOUBLE', 'UNSIGNED INTEGER', 'DECIMAL'",
  boolean: "'BOOLEAN'",
  array: "'ARRAY'",
  object: "'OBJECT'",
};

/** Returns the JSON of a column. Invalid JSON, which a constraint excludes if the column `isChecked`, is NULL. */
export function jsonOf(column: Column, value: Sql, server: JsonServer): Sql {
  return jsonAt(rootOf(column, value, server));
}

/** Returns the access to a JSON column. */
export function jsonAccess(column: Column, value: Sql, type: Type, server: JsonServer): ColumnAccess {
  return jsonPlace({ ...rootOf(column, value, server), type, isMissing: null, isRoot: true }, server);
}

function rootOf({ isChecked, path }: Column, value: Sql, server: JsonServer): JsonPath {
  const base = isChecked ? value : sql`CASE WHEN JSON_VALID(${value}) THEN ${value} END`;
  return path.reduce((parent, name) => fieldAt(parent, name, server), { base, steps: '' });
}

function jsonAt({ base, steps }: JsonPath): Sql {
  return steps === '' ? base : sql`JSON_EXTRACT(${base}, ${raw(`'$${steps}'`)})`;
}

function fieldAt(parent: JsonPath, name: string, { comparesEscapes, bytewise }: JsonServer): JsonPath {
  const { base, steps } = parent;
  if (!comparesEscapes) return { base, steps: `${steps}."${name.replaceAll("'", "''")}"` };
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { base, steps: `${steps}.${name}` };
  const bytes = [...new TextEncoder().encode(name)].map((byte) => byte.toString(16).padStart(2, '0'));
  return { base: entryOf(jsonAt(parent), raw(`_utf8mb4 x'${bytes.join('')}'`), bytewise), steps: '' };
}

/**
 * Returns the keys of a map as rows with their numbers. `JSON_KEYS` of MariaDB omits a key if an earlier one ends with it after an
 * escaped quote, so that backslashes and quotes are first written as `u005c` and `u0022`, here in hexadecimal digits.
 */
function keysOf(json: Sql, alias: string): Sql {
  const plain = sql`REPLACE(REPLACE(${json}, _utf8mb4 x'5c5c', _utf8mb4 x'5c7530303563'), _utf8mb4 x'5c22', _utf8mb4 x'5c7530303232')`;
  const keys = sql`COALESCE(JSON_KEYS(CASE JSON_TYPE(${json}) WHEN 'OBJECT' THEN ${plain} END), '[]')`;
  return sql`JSON_TABLE(${keys}, '$[*]' COLUMNS(n FOR ORDINALITY, k JSON PATH '$')) AS ${raw(alias)}`;
}

/** Returns the value of a row of `keysOf`: values are in the order of their keys. */
function valueOfKey(json: Sql, alias: string): Sql {
  return sql`JSON_EXTRACT(JSON_EXTRACT(${json}, '$.*'), CONCAT('$[', ${raw(alias)}.n - 1, ']'))`;
}

function isKey(key: Sql, bytewise: JsonServer['bytewise']): Sql {
  return sql`${bytewise(sql`JSON_UNQUOTE(tamis_k.k)`)} = ${key}`;
}

function entryOf(json: Sql, key: Sql, bytewise: JsonServer['bytewise']): Sql {
  return sql`(SELECT ${valueOfKey(json, 'tamis_k')} FROM ${keysOf(json, 'tamis_k')} WHERE ${isKey(key, bytewise)})`;
}

function jsonPlace(own: JsonValue, server: JsonServer): ColumnAccess {
  const { type, isMissing, isRoot = false } = own;
  const { bytewise, hasTables } = server;
  const json = jsonAt(own);
  const stored = storedTypeOf(type);
  const kind = jsonKindOf(type);
  const jsonType = sql`JSON_TYPE(${json})`;
  const isNull = sql`COALESCE(${jsonType}, 'NULL') = 'NULL'`;
  const part = (base: Sql, of: Type, missing: Sql | null): ColumnAccess =>
    jsonPlace({ base, steps: '', type: of, isMissing: missing }, server);
  const hasKey = (key: Sql): Sql => existsIn(keysOf(json, 'tamis_k'))(isKey(key, bytewise));
  return {
    ...noParts,
    type,
    isNull: isMissing === null ? isNull : and([isNull, sql`(${isMissing}) IS NOT TRUE`]),
    isMissing,
    isNil: isRoot ? isNull : sql`${jsonType} = 'NULL'`,
    isOfKind: kind === null ? sql`${jsonType} <> 'NULL'` : sql`${jsonType} IN (${raw(typesOf[kind])})`,
    scalar: () => scalarOf(type, json, bytewise),
    field: (name, of) =>
      stored === 'struct' && canBeInPath(name)
        ? jsonPlace(
            {
              ...fieldAt(own, name, server),
              type: of,
              isMissing: type.nullDepth > 0 ? isNull : isMissing,
            },
            server,
          )
        : null,
    entry: (key, of) =>
      stored === 'map' && hasTables ? part(entryOf(json, key, bytewise), of, sql`NOT ${hasKey(key)}`) : null,
    element(index, of) {
      if (stored !== 'list') return null;
      // A path with an index reads a single value as a list of it.
      const value = sql`CASE ${jsonType} WHEN 'ARRAY' THEN JSON_EXTRACT(${json}, ${raw(`'$[${index}]'`)}) END`;
      return part(value, of, sql`(${value}) IS NULL`);
    },
    size: () =>
      stored === 'list' || stored === 'map'
        ? sql`CASE ${jsonType} WHEN ${raw(stored === 'list' ? "'ARRAY'" : "'OBJECT'")} THEN JSON_LENGTH(${json}) END`
        : null,
    items(alias): Items | null {
      if (!hasTables) return null;
      if (stored === 'list' && type.kind === 'list') {
        const from = sql`JSON_TABLE(CASE ${jsonType} WHEN 'ARRAY' THEN ${json} ELSE '[]' END, '$[*]' COLUMNS(n FOR ORDINALITY, v JSON PATH '$')) AS ${raw(alias)}`;
        return {
          exists: existsIn(from),
          value: part(raw(`${alias}.v`), type.of, null),
          key: indexPlace(raw(`(${alias}.n - 1)`)),
        };
      }
      if (stored !== 'map' || type.kind !== 'map') return null;
      const key = bytewise(raw(`JSON_UNQUOTE(${alias}.k)`));
      return {
        exists: existsIn(keysOf(json, alias)),
        value: part(valueOfKey(json, alias), type.of, null),
        key: keyPlace(key, key),
      };
    },
    hasKey: (key) => (stored === 'map' && hasTables ? hasKey(key) : null),
  };
}

/** Returns a single value in JSON; NULL for a value of another kind. */
function scalarOf(type: Type, json: Sql, bytewise: (text: Sql) => Sql): SqlScalar | null {
  const of = (kind: JsonKind, value: Sql): Sql =>
    sql`CASE WHEN JSON_TYPE(${json}) IN (${raw(typesOf[kind])}) THEN ${value} END`;
  switch (storedTypeOf(type)) {
    case 'text': {
      const text = bytewise(sql`(${of('string', sql`JSON_UNQUOTE(${json})`)})`);
      return { kind: 'text', text: { value: text, equal: text, order: text, mayContainNul: false } };
    }
    case 'integer':
      return { kind: 'integer', value: of('number', exactNumber(json)) };
    case 'float':
      return { kind: 'float', value: of('number', sql`CAST(${json} AS DOUBLE)`) };
    case 'bool':
      return { kind: 'bool', value: of('boolean', sql`${bytewise(sql`JSON_UNQUOTE(${json})`)} = 'true'`) };
    default:
      return null;
  }
}

/** Returns a number of JSON as a decimal. Smaller ones than it can represent are not rounded to 0, which an integer could equal. */
function exactNumber(json: Sql): Sql {
  const decimal = sql`CAST(${json} AS DECIMAL(65,30))`;
  const double = sql`CAST(${json} AS DOUBLE)`;
  return sql`(${decimal} + (${decimal} = 0 AND ${double} <> 0) * SIGN(${double}) * 0.000000000000000000000000000001)`;
}
