import type { Field, Type } from '../../language/schema/type.js';
import { parseExactly } from '../../runtime/exact-json.js';
import { valueAccess } from '../column.js';
import {
  jsonKindOf,
  noParts,
  scalarAs,
  storedTypeOf,
  type ColumnAccess,
  type Items,
  type JsonKind,
  type SqlScalar,
} from '../column-access.js';
import { toFloat, toInteger } from '../decode.js';
import { indexPlace, keyPlace } from '../jsonb-access.js';
import { shaped } from '../read-json.js';
import type { Column } from '../stored-column.js';
import { and, list, or, raw, sql, type Sql } from '../sql.js';

/** Quotes a string of the mapping or the schema as an SQL literal, in which a backslash begins an escape. */
export function quotedText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

/** Returns the unit of the ticks of a DateTime64, as functions are named after it. */
export function unitOf(digits: number): string {
  return { 0: 'Second', 3: 'Milli', 6: 'Micro' }[digits] ?? 'Nano';
}

/** Returns the access to a column, or to an element of its type; null if it is as in other engines. */
export function accessOf(column: Column, value: Sql, type: Type): ColumnAccess | null {
  switch (column.store) {
    case 'array':
    case 'map':
    case 'struct':
      return nativePlace(value, type, null);
    case 'json':
      return jsonColumn(column, value, type);
    case 'datetime64':
      return valueAccess(column, value, type, {
        ...{ kind: 'instant', value, isBounded: true, as: 'datetime64', digits: column.digits },
      });
    default:
      return null;
  }
}

/** Returns `exists` of items whose variables are the arguments of a lambda over arrays. */
function existsOver(names: readonly string[], arrays: readonly Sql[]): Items['exists'] {
  return (condition) =>
    sql`arrayExists((${raw(names.join(', '))}) -> ifNull(${condition}, FALSE), ${list(arrays)})`;
}

/** Returns a condition on a key that may be NULL, for which functions read an empty string. */
function ofKey(key: Sql, condition: (key: Sql) => Sql): Sql {
  return and([sql`${key} IS NOT NULL`, condition(sql`assumeNotNull(${key})`)]);
}

/** Returns the access to a value of an Array, Map or Tuple. These are never null, and read as empty if they are missing. */
function nativePlace(value: Sql, type: Type, isMissing: Sql | null): ColumnAccess {
  const stored = storedTypeOf(type);
  const present = (own: Sql): Sql => (isMissing === null ? own : sql`if(${isMissing}, NULL, ${own})`);
  const isSingle = stored !== 'list' && stored !== 'map' && stored !== 'struct';
  const single = isSingle ? present(value) : value;
  const each = (name: string, of: Type): ColumnAccess => nativePlace(raw(name), of, null);
  return {
    ...noParts,
    type,
    isNull: !isSingle
      ? null
      : and([sql`${single} IS NULL`, ...(isMissing === null ? [] : [sql`NOT ${isMissing}`])]),
    isMissing,
    scalar: () => scalarAs(stored, single),
    field: (name, of) =>
      stored === 'struct'
        ? nativePlace(sql`tupleElement(${value}, ${raw(quotedText(name))})`, of, isMissing)
        : null,
    entry: (key, of) =>
      stored === 'map'
        ? nativePlace(sql`${value}[${key}]`, of, sql`(NOT mapContains(${value}, ${key}))`)
        : null,
    element(index, of) {
      if (stored !== 'list') return null;
      const isBeyond = sql`(length(${value}) <= ${raw(String(index))})`;
      return nativePlace(sql`${value}[${raw(String(index + 1))}]`, of, isBeyond);
    },
    size: () => (stored === 'list' || stored === 'map' ? present(sql`length(${value})`) : null),
    items(alias): Items | null {
      const [v, k] = [`${alias}_v`, `${alias}_k`];
      if (type.kind === 'list' && stored === 'list')
        return {
          exists: existsOver([v, k], [value, sql`arrayEnumerate(${value})`]),
          value: each(v, type.of),
          key: indexPlace(raw(`(${k} - 1)`)),
        };
      if (type.kind !== 'map' || stored !== 'map') return null;
      return {
        exists: existsOver([v, k], [sql`mapValues(${value})`, sql`mapKeys(${value})`]),
        value: each(v, type.of),
        key: keyPlace(raw(k), raw(k)),
      };
    },
    hasKey: (key) => (stored === 'map' ? ofKey(key, (own) => sql`mapContains(${value}, ${own})`) : null),
    hasElement: (word, text) => (stored === 'list' ? sql`has(${value}, ${text(word)})` : null),
  };
}

/**
 * A value in a JSON document, by its path from the whole document: functions that return a part rewrite its numbers. Steps are
 * keys, or positions from 1.
 */
interface JsonPath {
  readonly document: Sql;
  readonly steps: readonly Sql[];
  /** Conditions without which the path leads to a different value. */
  readonly guards: readonly Sql[];
  readonly unreadable?: NonNullable<ColumnAccess['unreadable']>;
}

interface JsonValue extends JsonPath {
  readonly type: Type;
  readonly isMissing: Sql | null;
  /** Whether it is the value of a field of the row, for which a missing key counts as null. */
  readonly isRoot?: boolean;
}

const jsonTypes: Readonly<Record<JsonKind, string>> = {
  string: "'String'",
  number: "'Int64', 'UInt64', 'Double'",
  boolean: "'Bool'",
  array: "'Array'",
  object: "'Object'",
};

function jsonColumn({ path, notNull, isChecked }: Column, value: Sql, type: Type): ColumnAccess {
  const document = notNull ? value : sql`ifNull(${value}, '')`;
  // Numbers beyond 64 bits make the whole document unreadable.
  const unreadable = {
    condition: sql`(JSONType(${document}) = 'Null' AND ${document} NOT IN ('', 'null'))`,
    why: 'ClickHouse cannot read some JSON; set `constrained` if a constraint excludes it',
  };
  return jsonPlace({
    ...{ document, steps: path.map((name) => raw(quotedText(name))), guards: [] },
    ...{ type, isMissing: null, isRoot: true, ...(isChecked ? {} : { unreadable }) },
  });
}

function jsonPlace(own: JsonValue): ColumnAccess {
  const { document, steps, guards, type, isMissing, isRoot = false, unreadable } = own;
  const call = (name: string): Sql => sql`${raw(name)}(${list([document, ...steps])})`;
  const jsonType = call('JSONType');
  const is = (kind: JsonKind): Sql => and([...guards, sql`${jsonType} IN (${raw(jsonTypes[kind])})`]);
  const isNothing = or([...guards.map((each) => sql`NOT ${each}`), sql`${jsonType} = 'Null'`]);
  const stored = storedTypeOf(type);
  const kind = jsonKindOf(type);
  const part = (step: Sql, of: Type, missing: Sql | null, more: readonly Sql[] = []): ColumnAccess =>
    jsonPlace({
      ...own,
      ...{ steps: [...steps, step], guards: [...guards, ...more] },
      ...{ type: of, isMissing: missing, isRoot: false },
    });
  /** An item of a collection, whose condition already covers unreadable documents. */
  const item = (step: Sql, of: Type): ColumnAccess =>
    jsonPlace({ document, steps: [...steps, step], guards: [], type: of, isMissing: null });
  const hasKey = (key: Sql): Sql => ofKey(key, (name) => sql`JSONHas(${list([document, ...steps, name])})`);
  const length = call('JSONLength');
  return {
    ...noParts,
    type,
    isNull: isMissing === null ? isNothing : and([isNothing, sql`NOT ${isMissing}`]),
    isMissing,
    isNil: isRoot ? isNothing : and([...guards, sql`${jsonType} = 'Null'`, sql`${call('JSONHas')} = 1`]),
    isOfKind: kind === null ? sql`NOT ${isNothing}` : is(kind),
    ...(unreadable === undefined ? {} : { unreadable }),
    scalar: () => jsonScalar(type, is, call),
    field: (name, of) =>
      stored === 'struct'
        ? part(raw(quotedText(name)), of, type.nullDepth > 0 ? isNothing : isMissing)
        : null,
    entry: (key, of) => (stored === 'map' ? part(key, of, sql`(NOT ${hasKey(key)})`) : null),
    element: (index, of) =>
      stored === 'list'
        ? // A position in an object leads to one of its values.
          part(
            raw(String(index + 1)),
            of,
            sql`(NOT (${is('array')} AND ${length} > ${raw(String(index))}))`,
            [is('array')],
          )
        : null,
    size: () =>
      stored === 'list' || stored === 'map'
        ? sql`if(${is(stored === 'list' ? 'array' : 'object')}, ${length}, NULL)`
        : null,
    items(alias): Items | null {
      const name = `${alias}_k`;
      if (type.kind === 'list' && stored === 'list')
        return {
          exists: existsOver([name], [sql`range(1, if(${is('array')}, ${length}, 0) + 1)`]),
          value: item(raw(name), type.of),
          key: indexPlace(raw(`(${name} - 1)`)),
        };
      if (type.kind !== 'map' || stored !== 'map') return null;
      return {
        exists: existsOver([name], [sql`if(${is('object')}, ${call('JSONExtractKeys')}, [])`]),
        value: item(raw(name), type.of),
        key: keyPlace(raw(name), raw(name)),
      };
    },
    hasKey: (key) => (stored === 'map' ? hasKey(key) : null),
  };
}

/** Returns a single value in JSON; NULL for a value of another kind. */
function jsonScalar(type: Type, is: (kind: JsonKind) => Sql, call: (name: string) => Sql): SqlScalar | null {
  const stored = storedTypeOf(type);
  const as = (kind: JsonKind, value: Sql): SqlScalar | null =>
    scalarAs(stored, sql`if(${is(kind)}, ${value}, NULL)`);
  switch (stored) {
    case 'text':
      return as('string', call('JSONExtractString'));
    case 'float':
      return as('number', call('JSONExtractFloat'));
    case 'bool':
      return as('boolean', call('JSONExtractBool'));
    case 'integer': {
      // Of a number with a fraction, only its place between two integers is kept.
      const float = sql`greatest(least(${call('JSONExtractFloat')}, 1e30), -1e30)`;
      const whole = sql`toDecimal256(accurateCastOrNull(floor(${float}), 'Int128'), 1)`;
      const half = sql`if(floor(${float}) = ${float}, 0, toDecimal256('0.5', 1))`;
      const jsonType = call('JSONType');
      return as(
        'number',
        sql`multiIf(${jsonType} = 'Int64', toDecimal256(${call('JSONExtractInt')}, 1), ${jsonType} = 'UInt64', toDecimal256(${call('JSONExtractUInt')}, 1), ${whole} + ${half})`,
      );
    }
    default:
      return null;
  }
}

/** Returns the expression in the SELECT list from which rows are decoded: always a string. */
export function selected(column: Column, type: Type, value: Sql): Sql {
  switch (column.store) {
    case 'array':
    case 'map':
    case 'struct':
      return sql`toJSONString(${printed(type, value, 0)})`;
    case 'datetime64':
      return sql`toString(${raw(`toUnixTimestamp64${unitOf(column.digits)}`)}(${value}))`;
    case 'text':
    case 'timeText':
    case 'json':
      return value;
    default:
      return sql`toString(${value})`;
  }
}

/** Returns a value whose single values are strings, and whose tuples have no names: settings do not change how they are written. */
function printed(type: Type, value: Sql, depth: number): Sql {
  const v = raw(`tamis_v${depth}`);
  switch (storedTypeOf(type)) {
    case 'list':
      return sql`arrayMap(${v} -> ${printed('of' in type ? type.of : type, v, depth + 1)}, ${value})`;
    case 'map':
      return sql`mapApply((tamis_k, ${v}) -> (tamis_k, ${printed('of' in type ? type.of : type, v, depth + 1)}), ${value})`;
    case 'struct':
      return sql`tuple(${list(fieldsOf(type).map(([name, part]) => printed(part.type, sql`tupleElement(${value}, ${raw(quotedText(name))})`, depth)))})`;
    default:
      return sql`toString(${value})`;
  }
}

/** Returns the fields of a struct that are elements of its tuple. */
export function fieldsOf(type: Type): readonly (readonly [name: string, field: Field])[] {
  return type.kind === 'struct' ? [...type.properties].filter(([, { hidden }]) => !hidden) : [];
}

/** Whether arrays, maps and tuples can store the values of a type, in which only single values may be null. */
export function isNative(type: Type): boolean {
  const stored = type.nullDepth === 0 ? storedTypeOf(type) : null;
  if (stored === 'list' || stored === 'map') return 'of' in type && isItem(type.of);
  return stored === 'struct' && fieldsOf(type).every(([, field]) => isItem(field.type));
}

function isItem(type: Type): boolean {
  const stored = storedTypeOf(type);
  const isSingle = stored !== 'list' && stored !== 'map' && stored !== 'struct';
  return stored !== null && (isSingle || isNative(type));
}

/** Converts the strings of `printed` to the types of the schema. */
export function readNative(text: string, type: Type, column: Column): unknown {
  const read = (value: unknown, of: Type): unknown => {
    if (value === null) return null;
    switch (storedTypeOf(of)) {
      case 'list':
        return (value as readonly unknown[]).map((each) => read(each, 'of' in of ? of.of : of));
      case 'map':
        return Object.fromEntries(
          Object.entries(value as object).map(([key, each]) => [key, read(each, 'of' in of ? of.of : of)]),
        );
      case 'struct':
        return Object.fromEntries(
          fieldsOf(of).map(([name, part], at) => [
            name,
            read((value as readonly unknown[])[at] ?? null, part.type),
          ]),
        );
      case 'integer':
        return toInteger(String(value), of, column);
      case 'float':
        return toFloat(value);
      case 'bool':
        return value === 'true';
      default:
        return value;
    }
  };
  return read(JSON.parse(text), type);
}

/** Returns the value at the path of a JSON column; null if it is not JSON. */
export function readDocument(text: string, type: Type, { path }: Column): unknown {
  try {
    const found = path.reduce<unknown>(
      (value, name) =>
        Object.hasOwn(Object(value) as object, name) ? (value as Record<string, unknown>)[name] : null,
      parseExactly(text),
    );
    return shaped(found, type);
  } catch {
    return null;
  }
}
