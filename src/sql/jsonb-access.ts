import { intType, stringType, type Type } from '../language/schema/type.js';
import { quotedText } from './dialect.js';
import {
  jsonKindOf,
  storedTypeOf,
  noParts,
  existsIn,
  type Items,
  type ColumnAccess,
  type SqlScalar,
} from './column-access.js';
import { and, raw, sql, type Sql } from './sql.js';

/** A value in `jsonb`. `json` is the value itself; `text` is the value as a string, which is NULL for a null. */
interface JsonbValue {
  readonly json: Sql;
  readonly text: Sql;
  readonly type: Type;
  readonly isMissing: Sql | null;
  /** Whether the value may be absent and then counts as null: true for a field, false for a map entry. */
  readonly isOptional: boolean;
  /** Whether it is the value of a field of the row, for which a missing key counts as null. */
  readonly isRoot?: boolean;
}

/** A column of `jsonb`, or a value on a path in it. */
export function jsonbColumn(column: Sql, path: readonly string[], type: Type): ColumnAccess {
  const steps = path.map((name) => raw(quotedText(name)));
  const last = steps.at(-1);
  const parent = steps.slice(0, -1).reduce((json, step) => sql`${json} -> ${step}`, column);
  return jsonbPlace({
    json: last === undefined ? column : sql`${parent} -> ${last}`,
    text: last === undefined ? sql`${column} #>> '{}'` : sql`${parent} ->> ${last}`,
    type,
    isMissing: null,
    isOptional: true,
    isRoot: true,
  });
}

/** Returns an expression to which an access to a part can be appended. */
function inParentheses(json: Sql): Sql {
  return json.length === 1 ? json : sql`(${json})`;
}

function jsonbPlace(own: JsonbValue): ColumnAccess {
  const { type, isMissing, isOptional, isRoot = false } = own;
  const json = inParentheses(own.json);
  const text = inParentheses(own.text);
  const stored = storedTypeOf(type);
  const kind = jsonKindOf(type);
  const isNull = isOptional
    ? and([sql`${text} IS NULL`, ...(isMissing === null ? [] : [sql`(${isMissing}) IS NOT TRUE`])])
    : sql`${json} = 'null'::jsonb`;
  const asList = sql`CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} END`;
  const asMap = sql`CASE jsonb_typeof(${json}) WHEN 'object' THEN ${json} END`;
  const part = (from: Sql, step: Sql, of: Type, missing: Sql | null, isPartOptional: boolean): ColumnAccess =>
    jsonbPlace({
      json: sql`${from} -> ${step}`,
      text: sql`${from} ->> ${step}`,
      type: of,
      isMissing: missing,
      isOptional: isPartOptional,
    });
  return {
    ...noParts,
    type,
    isNull,
    isMissing,
    isNil: isRoot ? isNull : sql`${json} = 'null'::jsonb`,
    isOfKind:
      kind === null
        ? sql`jsonb_typeof(${json}) <> 'null'`
        : sql`jsonb_typeof(${json}) = ${raw(quotedText(kind))}`,
    scalar: () => scalarOf(type, json, text),
    field(name, of) {
      // A field of a null reads as zero. But a field of a nullable struct that is null cannot be reached.
      const lost = type.nullDepth > 0 ? sql`${text} IS NULL` : isMissing;
      return part(json, raw(quotedText(name)), of, lost, true);
    },
    entry: (key, of) => part(json, key, of, sql`(${json} -> ${key}) IS NULL`, false),
    element(index, of) {
      const step = raw(String(index));
      // A single value counts as a list of that value here.
      return part(sql`(${asList})`, step, of, sql`((${asList}) -> ${step}) IS NULL`, false);
    },
    size() {
      if (stored === 'list') return sql`jsonb_array_length(${asList})`;
      return stored === 'map'
        ? sql`CASE jsonb_typeof(${json}) WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(${asMap})) END`
        : null;
    },
    items(alias): Items | null {
      const value = (of: Type): ColumnAccess =>
        jsonbPlace({
          json: raw(`${alias}.v`),
          text: raw(`(${alias}.v #>> '{}')`),
          type: of,
          isMissing: null,
          isOptional: true,
        });
      if (stored === 'list' && type.kind === 'list') {
        const from = sql`jsonb_array_elements(${asList}) WITH ORDINALITY AS ${raw(alias)}(v, n)`;
        return { exists: existsIn(from), value: value(type.of), key: indexPlace(raw(`(${alias}.n - 1)`)) };
      }
      if (stored !== 'map' || type.kind !== 'map') return null;
      const from = sql`jsonb_each(${asMap}) AS ${raw(alias)}(k, v)`;
      return { exists: existsIn(from), value: value(type.of), key: keyPlace(raw(`${alias}.k`)) };
    },
    hasKey: (key) => sql`(${json} -> ${key}) IS NOT NULL`,
    hasElement(word, textOf) {
      const of = type.kind === 'list' ? storedTypeOf(type.of) : null;
      return of === 'text' ? sql`${json} @> jsonb_build_array(${textOf(word)})` : null;
    },
  };
}

function scalarOf(type: Type, json: Sql, text: Sql): SqlScalar | null {
  switch (storedTypeOf(type)) {
    case 'text':
      return {
        kind: 'text',
        text: { value: text, equal: text, order: sql`${text} COLLATE "C"`, mayContainNul: false },
      };
    case 'integer':
    case 'float':
      // Numbers are compared as written, because a cast would fail for one that is too large.
      return {
        kind: 'decimal',
        value: sql`CASE jsonb_typeof(${json}) WHEN 'number' THEN ${text}::numeric END`,
      };
    case 'bool':
      return {
        kind: 'bool',
        value: sql`CASE jsonb_typeof(${json}) WHEN 'boolean' THEN ${json} = 'true'::jsonb END`,
      };
    default:
      return null;
  }
}

/** Returns the access to the index of an element. */
export function indexPlace(value: Sql): ColumnAccess {
  return {
    ...noParts,
    type: intType,
    isNull: null,
    isMissing: null,
    scalar: () => ({ kind: 'integer', value }),
  };
}

/** Returns the access to the key of an entry. */
export function keyPlace(value: Sql, order = sql`${value} COLLATE "C"`): ColumnAccess {
  const text = { value, equal: value, order, mayContainNul: false };
  return {
    ...noParts,
    type: stringType,
    isNull: null,
    isMissing: null,
    scalar: () => ({ kind: 'text', text }),
  };
}
