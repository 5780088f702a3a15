import type { Type } from '../language/schema/type.js';
import { canBeInPath, jsonPath } from './json-path.js';
import { indexPlace, keyPlace } from './jsonb-access.js';
import {
  jsonKindOf,
  storedTypeOf,
  noParts,
  existsIn,
  type Items,
  type ColumnAccess,
  type JsonKind,
  scalarAs,
} from './column-access.js';
import { and, raw, sql, type Sql } from './sql.js';

/** A value in JSON: at a path in a JSON string, or `whole`: an element or an entry. */
interface JsonValue {
  /** JSON, or NULL. */
  readonly json: Sql;
  readonly path: readonly string[];
  /** The value as SQLite returns it if there is no path. */
  readonly whole: Sql | null;
  /** The name of its JSON type, if there is no path. */
  readonly wholeType: Sql | null;
  readonly type: Type;
  readonly isMissing: Sql | null;
  /** Whether it is the value of a field of the row, for which a missing key counts as null. */
  readonly isRoot?: boolean;
}

/** The JSON types of each kind. */
const typesOf: Readonly<Record<JsonKind, string>> = {
  string: "= 'text'",
  number: "IN ('integer', 'real')",
  boolean: "IN ('true', 'false')",
  array: "= 'array'",
  object: "= 'object'",
};

/** A column of JSON, or a value at a path in it. `isChecked` if a constraint excludes invalid JSON. */
export function jsonColumn(
  column: Sql,
  path: readonly string[],
  type: Type,
  isChecked: boolean,
): ColumnAccess {
  const json = isChecked ? column : sql`CASE WHEN json_valid(${column}) THEN ${column} END`;
  return jsonPlace({ json, path, whole: null, wholeType: null, type, isMissing: null, isRoot: true });
}

function jsonPlace(own: JsonValue): ColumnAccess {
  const { json, path, whole, wholeType, type, isMissing, isRoot = false } = own;
  const stored = storedTypeOf(type);
  const at = raw(jsonPath(path));
  const value = whole ?? sql`json_extract(${json}, ${at})`;
  const isNull = sql`${value} IS NULL`;
  const jsonType = wholeType ?? sql`json_type(${json}, ${at})`;
  const kind = jsonKindOf(type);
  // For other kinds of values, functions would return something, or fail.
  const walked = sql`CASE json_type(${json}, ${at}) WHEN ${raw(stored === 'list' ? "'array'" : "'object'")} THEN ${json} END, ${at}`;
  const entryOf = (key: Sql, of: Type): ColumnAccess => {
    const select = (what: string): Sql =>
      sql`(SELECT ${raw(what)} FROM json_each(${walked}) WHERE key = ${key})`;
    return jsonPlace({
      json: select(jsonOnly('')),
      path: [],
      whole: select('value'),
      wholeType: select('type'),
      type: of,
      isMissing: sql`NOT EXISTS (SELECT 1 FROM json_each(${walked}) WHERE key = ${key})`,
    });
  };
  return {
    ...noParts,
    type,
    isNull: isMissing === null ? isNull : and([isNull, sql`(${isMissing}) IS NOT TRUE`]),
    isMissing,
    isNil: isRoot ? isNull : sql`${jsonType} = 'null'`,
    isOfKind: sql`${jsonType} ${raw(kind === null ? "<> 'null'" : typesOf[kind])}`,
    scalar: () => scalarAs(stored, value, { mayContainNul: true }),
    field: (name, of) =>
      stored === 'struct' && canBeInPath(name)
        ? jsonPlace({
            ...{ json, path: [...path, name], whole: null, wholeType: null, type: of },
            isMissing: type.nullDepth > 0 ? isNull : isMissing,
          })
        : null,
    entry: (key, of) => (stored === 'map' ? entryOf(key, of) : null),
    element: (index, of) => (stored === 'list' ? entryOf(raw(String(index)), of) : null),
    size() {
      if (stored === 'list') return sql`json_array_length(${walked})`;
      return stored === 'map'
        ? sql`CASE json_type(${json}, ${at}) WHEN 'object' THEN (SELECT count(*) FROM json_each(${json}, ${at})) END`
        : null;
    },
    items(alias): Items | null {
      const from = sql`json_each(${walked}) AS ${raw(alias)}`;
      const of = (each: Type): ColumnAccess =>
        jsonPlace({
          json: raw(jsonOnly(`${alias}.`)),
          path: [],
          whole: raw(`${alias}.value`),
          wholeType: raw(`${alias}.type`),
          type: each,
          isMissing: null,
        });
      if (type.kind === 'list' && stored === 'list')
        return { exists: existsIn(from), value: of(type.of), key: indexPlace(raw(`${alias}.key`)) };
      if (type.kind !== 'map' || stored !== 'map') return null;
      const key = raw(`${alias}.key`);
      return { exists: existsIn(from), value: of(type.of), key: keyPlace(key, key) };
    },
    hasKey: (key) =>
      stored === 'map' ? sql`EXISTS (SELECT 1 FROM json_each(${walked}) WHERE key = ${key})` : null,
  };
}

/** Returns the value of an entry if it is valid JSON, which a string need not be. */
function jsonOnly(of: string): string {
  return `CASE WHEN ${of}type IN ('array', 'object') THEN ${of}value END`;
}
