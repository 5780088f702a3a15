import type { Type } from '../language/schema/type.js';
import { quotedText } from './dialect.js';
import { indexPlace, keyPlace } from './jsonb-access.js';
import { arrayText } from './text-leaf.js';
import { storedTypeOf, noParts, existsIn, scalarAs, type Items, type ColumnAccess } from './column-access.js';
import { and, or, parameter, raw, sql, type Sql } from './sql.js';

/** Returns the access to a DuckDB column or a value in it. Lists, maps and structs are types of the engine. */
export function duckColumn(value: Sql, type: Type, notNull: boolean): ColumnAccess {
  const access = duckPlace(value, type, null);
  return notNull ? { ...access, isNull: null } : access;
}

/** Returns the access to a value. `parent` is the struct that contains it; omitted if it is not a field of one. */
function duckPlace(value: Sql, type: Type, isMissing: Sql | null, parent?: Sql): ColumnAccess {
  const stored = storedTypeOf(type);
  const isNull = sql`${value} IS NULL`;
  return {
    ...noParts,
    type,
    isNull: isMissing === null ? isNull : and([isNull, sql`(${isMissing}) IS NOT TRUE`]),
    isMissing,
    ...(parent === undefined ? {} : { isNil: and([isNull, sql`${parent} IS NOT NULL`]) }),
    scalar: () => scalarAs(stored, value),
    field(name, of) {
      if (stored !== 'struct') return null;
      const field = sql`struct_extract(${value}, ${raw(quotedText(name))})`;
      return duckPlace(field, of, type.nullDepth > 0 ? isNull : isMissing, value);
    },
    entry: (key, of) =>
      stored === 'map'
        ? duckPlace(sql`${value}[${key}]`, of, sql`map_contains(${value}, ${key}) IS NOT TRUE`)
        : null,
    element(index, of) {
      if (stored !== 'list') return null;
      const isBeyond = sql`(len(${value}) > ${raw(String(index))}) IS NOT TRUE`;
      return duckPlace(sql`${value}[${raw(String(index + 1))}]`, of, isBeyond);
    },
    size: () =>
      stored === 'list' ? sql`len(${value})` : stored === 'map' ? sql`cardinality(${value})` : null,
    items(alias): Items | null {
      const each = (of: Type): ColumnAccess => duckPlace(raw(`${alias}.v`), of, null);
      if (type.kind === 'list' && stored === 'list') {
        const from = sql`(SELECT unnest(${value}) AS v, generate_subscripts(${value}, 1) - 1 AS n) AS ${raw(alias)}`;
        return { exists: existsIn(from), value: each(type.of), key: indexPlace(raw(`${alias}.n`)) };
      }
      if (type.kind !== 'map' || stored !== 'map') return null;
      const from = sql`(SELECT unnest(map_keys(${value})) AS k, unnest(map_values(${value})) AS v) AS ${raw(alias)}`;
      const key = raw(`${alias}.k`);
      return { exists: existsIn(from), value: each(type.of), key: keyPlace(key, key) };
    },
    hasKey: (key) => (stored === 'map' ? sql`map_contains(${value}, ${key})` : null),
    hasElement: (word, text) => (stored === 'list' ? sql`list_contains(${value}, ${text(word)})` : null),
  };
}

function plainElement(value: Sql, type: Type): ColumnAccess {
  const scalar = scalarAs(storedTypeOf(type), value, { order: sql`${value} COLLATE "C"` });
  return { ...noParts, type, isNull: sql`${value} IS NULL`, isMissing: null, scalar: () => scalar };
}

/** Returns the access to a PostgreSQL array. `elementOf` is null for arrays of strings, numbers or booleans. */
export function arrayColumn(
  value: Sql,
  type: Type,
  notNull: boolean,
  elementOf: ((own: Sql, of: Type) => ColumnAccess) | null,
): ColumnAccess {
  const isNull = sql`${value} IS NULL`;
  const element = (own: Sql, of: Type, isMissing: Sql | null): ColumnAccess => {
    const access = (elementOf ?? plainElement)(own, of);
    if (isMissing === null || access.isNull === null) return { ...access, isMissing };
    return { ...access, isNull: and([access.isNull, sql`NOT (${isMissing})`]), isMissing };
  };
  return {
    ...noParts,
    type,
    isNull: notNull ? null : isNull,
    isMissing: null,
    scalar: () => null,
    // The first index of a PostgreSQL array may be any number.
    element: (index, of) =>
      element(
        sql`${value}[array_lower(${value}, 1) + ${raw(String(index))}]`,
        of,
        or([sql`COALESCE(cardinality(${value}), 0) <= ${raw(String(index))}`]),
      ),
    size: () => sql`cardinality(${value})`,
    items(alias): Items | null {
      if (type.kind !== 'list') return null;
      const from = sql`unnest(${value}) WITH ORDINALITY AS ${raw(alias)}(v, n)`;
      return {
        exists: existsIn(from),
        value: element(raw(`${alias}.v`), type.of, null),
        key: indexPlace(raw(`(${alias}.n - 1)`)),
      };
    },
    // `= ANY` would never use an index. The array must have the type of the column, which may be `varchar`.
    hasElement(word) {
      const scalar = type.kind === 'list' ? elementOf?.(value, type.of).scalar() : undefined;
      const canStore = scalar?.kind === 'text' && scalar.text.canStore?.(word) === true;
      return elementOf === null || canStore ? sql`${value} @> ${parameter(arrayText([word]))}` : null;
    },
  };
}
