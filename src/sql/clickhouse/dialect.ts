import { floatText, type SqlDialect } from '../dialect.js';
import { re2Flavour, writePattern } from '../pattern.js';
import { parameter, raw, sql, type Sql, type SqlValue } from '../sql.js';
import { storedTypeOf } from '../column-access.js';
import { accessOf, isNative, selected, unitOf } from './access.js';

const maxInt64 = 2n ** 63n - 1n;

/** Writes a placeholder of ClickHouse from its number and value: `{p1:String}`. For `toSQL` of conditions. */
export function namedPlaceholder(position: number, value: SqlValue): string {
  return `{p${position}:${typeOf(value)}}`;
}

/** Returns the type of a value; filters send only strings, so that no driver can round a number. */
function typeOf(value: SqlValue): string {
  if (typeof value === 'string') return 'String';
  if (typeof value === 'boolean') return 'Bool';
  if (value === null) return 'Nullable(String)';
  if (!Number.isInteger(Number(value))) return 'Float64';
  return BigInt(value) > maxInt64 ? 'UInt64' : 'Int64';
}

/**
 * Returns values by the names of their placeholders: `{ p1: 'web' }`.
 *
 * @param first the number of the first placeholder, as in `toSQL`
 */
export function namedValues(values: readonly SqlValue[], first = 1): Record<string, SqlValue> {
  return Object.fromEntries(values.map((value, at) => [`p${first + at}`, value]));
}

/** Returns a name in double quotes, in which a backslash begins an escape. */
function quoted(name: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&')}"`;
}

function float(value: number): Sql {
  return sql`toFloat64(${parameter(floatText(value))})`;
}

/** Returns an instant as the DateTime64 with its digits: literals of dates have a smaller range than the type. */
function instant(text: string): Sql | 'above' | 'below' {
  const fraction = text.slice(20).replace('Z', '');
  const seconds = BigInt(Date.parse(`${text.slice(0, 19)}Z`) / 1000);
  const ticks = seconds * 10n ** BigInt(fraction.length) + BigInt(fraction);
  if (BigInt.asIntN(64, ticks) !== ticks) return ticks > 0n ? 'above' : 'below';
  return sql`${raw(`fromUnixTimestamp64${unitOf(fraction.length)}`)}(toInt64(${parameter(String(ticks))}), 'UTC')`;
}

/** The dialect of ClickHouse, which compares strings by their bytes. All literals are sent as strings. */
export const clickhouse: SqlDialect = {
  name: 'clickhouse',
  quoted,
  placeholder: namedPlaceholder,
  comparesColumns: true,
  ieee: { nan: float(NaN), negativeZero: raw('-0.') },
  maxText: 131_072,
  maxInteger: 2n ** 64n - 1n,
  text: parameter,
  integer: (value) => sql`${raw(value > maxInt64 ? 'toUInt64' : 'toInt64')}(${parameter(String(value))})`,
  float,
  // A parameter would need another type than String.
  limit: (max) => raw(String(max)),
  instant,
  asText: (value) => sql`toString(${value})`,
  bytewise: (text) => text,
  isTrue: (value) => sql`${value} = TRUE`,
  isFalse: (value) => sql`${value} = FALSE`,
  contains: (text, part) => sql`position(${text}, ${part}) > 0`,
  endsWith: (text, end) => sql`endsWith(${text}, ${end})`,
  startsWith: (text, start) => sql`startsWith(${text}, ${start})`,
  like: null,
  pattern: (node) => writePattern(node, re2Flavour),
  matches: (text, pattern) => sql`match(${text}, ${pattern})`,
  length: (text) => sql`lengthUTF8(${text})`,
  notNaN: (value) => sql`NOT isNaN(${value})`,
  containsNul: null,
  takesNul: true,
  fits(store, type) {
    const stored = { array: 'list', map: 'map', struct: 'struct' }[String(store)];
    return stored === undefined ? null : stored === storedTypeOf(type) && isNative(type);
  },
  access: accessOf,
  selected,
};
