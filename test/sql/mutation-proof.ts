// Shows that the tests of MariaDB and ClickHouse detect mistakes: changes a copy of the sources, one place at a time, and runs the tests.
//
//   node --import tsx test/sql/mutation-proof.ts             all changes
//   node --import tsx test/sql/mutation-proof.ts --only 7    one of them, by number
import { runChanges, type Change } from '../support/mutation.js';

const dialect = 'src/sql/mysql/dialect.ts';
const json = 'src/sql/mysql/json-access.ts';
const changes: readonly Change[] = [
  [dialect, "server === 'mariadb' ? 'utf8mb4_nopad_bin'", "server === 'mariadb' ? 'utf8mb4_bin'"],
  [dialect, 'const own = isBytewise ? value : bytewise(value);', 'const own = value;'],
  [dialect, "value > maxInt64 ? 'UNSIGNED' : 'SIGNED'", "'SIGNED'"],
  [dialect, 'maxInteger: 2n ** 64n - 1n', 'maxInteger: 2n ** 63n - 1n'],
  [dialect, 'onlyFinite: true,', ''],
  [dialect, '`RIGHT(${text}, CHAR_LENGTH(${end})) = ${end}`', '`RIGHT(${text}, LENGTH(${end})) = ${end}`'],
  [dialect, '`CHAR_LENGTH(${text})`', '`LENGTH(${text})`'],
  [dialect, '/[!%_]/g', '/[!%]/g'],
  [dialect, 'alternatives > maxAlternatives || runs > 1', 'alternatives > maxAlternatives'],
  [
    dialect,
    'return max === 1 ? { alternatives: alternatives + 1, runs } : { alternatives: Infinity, runs };',
    'return { alternatives: alternatives + 1, runs };',
  ],
  [dialect, '`(?>${any}*?${part})`', '`(?:${any}*${part})`'],
  [dialect, 'comparesColumns: true,', ''],
  [dialect, "WHEN ${value} IS NOT NULL THEN 'no date'", "WHEN FALSE THEN 'no date'"],
  [json, '{ base, steps: `${steps}.${name}` };', '{ ...parent, steps: `${steps}.${name}` };'],
  [json, '/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)', "!name.includes('.')"],
  [json, 'isChecked ? value : sql`CASE', 'isChecked || true ? value : sql`CASE'],
  [json, "CONCAT('$[', ${raw(alias)}.n - 1, ']')", "CONCAT('$[', ${raw(alias)}.n, ']')"],
  [json, "COALESCE(${jsonType}, 'NULL') = 'NULL'", "${jsonType} = 'NULL'"],
  [json, 'type.nullDepth > 0 ? isNull : isMissing', 'isMissing'],
  [json, "CASE ${jsonType} WHEN 'ARRAY' THEN JSON_EXTRACT", 'CASE WHEN TRUE THEN JSON_EXTRACT'],
  [json, 'DECIMAL(65,30)', 'SIGNED'],
  [json, 'THEN ${plain} END', 'THEN ${json} END'],
  ['src/sql/leaf.ts', ' AND COALESCE(FROM_DAYS(TO_DAYS(${value})) = DATE(${value}), ${value} IS NULL)', ''],
  ['src/sql/mysql/run.ts', 'await other.execute(`KILL QUERY ${Number(connection.threadId)}`, []);', ''],
  ['src/sql/mysql/verify.ts', 'AND MAX(sub_part) IS NULL', ''],
  ['src/sql/mysql/verify.ts', "more.charset !== 'utf8mb4'", 'false'],
];

const access = 'src/sql/clickhouse/access.ts';
const clickhouse = 'src/sql/clickhouse/dialect.ts';
const verify = 'src/sql/clickhouse/verify.ts';
const inClickhouse: readonly Change[] = [
  [clickhouse, "ieee: { nan: float(NaN), negativeZero: raw('-0.') },", ''],
  [clickhouse, "negativeZero: raw('-0.')", "negativeZero: raw('0.')"],
  [clickhouse, 'replace(/[\\\\"]/g', 'replace(/["]/g'],
  [clickhouse, "raw(value > maxInt64 ? 'toUInt64' : 'toInt64')", "raw('toInt64')"],
  [clickhouse, 'comparesColumns: true,', ''],
  [clickhouse, 'maxText: 131_072,', ''],
  [clickhouse, "return ticks > 0n ? 'above' : 'below';", "return 'below';"],
  [clickhouse, 'lengthUTF8', 'length'],
  [
    access,
    'and([sql`${key} IS NOT NULL`, condition(sql`assumeNotNull(${key})`)])',
    'condition(sql`assumeNotNull(${key})`)',
  ],
  [access, 'isMissing === null ? own : sql`if(${isMissing}, NULL, ${own})`', 'own'],
  [access, '(length(${value}) <= ${raw(String(index))})', '(length(${value}) < ${raw(String(index))})'],
  [access, '...(isChecked ? {} : { unreadable })', ''],
  [access, "notNull ? value : sql`ifNull(${value}, '')`", 'value'],
  [access, 'sql`${jsonType} IN (${raw(jsonTypes[kind])})`', "sql`${jsonType} != 'Null'`"],
  [access, "[is('array')],", '[],'],
  [access, 'accurateCastOrNull(floor(${float})', 'accurateCastOrNull(round(${float})'],
  [
    access,
    'toString(${raw(`toUnixTimestamp64${unitOf(column.digits)}`)}(${value}))',
    'toString(${raw(`toUnixTimestamp64${unitOf(6)}`)}(${value}))',
  ],
  ['src/sql/keyset-cursor.ts', '!isNullable && compare === undefined', '!isNullable'],
  [
    'src/sql/row-order.ts',
    "sign.startsWith('>') ? sql`(${compared} OR NOT ${isNumber})` : compared",
    'compared',
  ],
  ['src/sql/value-leaf.ts', 'if (ieee !== undefined) return leaf(plain.yes.sql);', ''],
  ['src/sql/translate.ts', 'if (piece.sql === null || open.length === 0) return piece;', 'return piece;'],
  ['src/sql/pair-leaf.ts', 'if (dialect.instant === undefined)', 'if (scalar.kind)'],
  [verify, "setting.get('transform_null_in') === '1'", 'false'],
  [verify, 'if (first !== name)', 'if (false)'],
];

runChanges([
  ...changes.map((change) => ({
    change,
    tests: ['test/sql/mysql.test.ts', 'test/sql/mysql-access.test.ts'],
  })),
  ...inClickhouse.map((change) => ({ change, tests: ['test/sql/clickhouse.test.ts'] })),
]);
