// Shows that the tests of MariaDB detect mistakes: changes a copy of the sources, one place at a time, and runs the tests.
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

runChanges(
  changes.map((change) => ({ change, tests: ['test/sql/mysql.test.ts', 'test/sql/mysql-access.test.ts'] })),
);
