import type { RowOf } from '../../language/schema/row.js';
import type { Schema } from '../../language/schema/schema.js';
import type { TableFacts } from '../catalogue.js';
import { isWithin } from '../leaf.js';
import type { RunSql } from '../run-statement.js';
import { tableOf, type SqlMapping } from '../sql-mapping.js';
import { partsOf, raw, sqlTextOf } from '../sql.js';
import type { Column, StoredAs } from '../stored-column.js';
import {
  findingOf,
  mentions,
  verifyTable,
  type Catalogue,
  type SqlFinding,
  type VerifyOptions,
} from '../verify.js';

/** What the catalogue says of a column, in addition to the facts of all engines. */
interface ColumnDetails {
  readonly charset: string;
  readonly collation: string;
  /** Whether ALTER TABLE MODIFY would drop a default or another property of the column. */
  readonly hasExtra: boolean;
}

/** The types that can store each kind of column, and the type that it should have. */
const types: Readonly<Partial<Record<StoredAs, readonly [stored: RegExp, target: string]>>> = {
  text: [/^(varchar|(tiny|medium|long)?text)$/, 'VARCHAR(255)'],
  timeText: [/^(varchar|(tiny|medium|long)?text)$/, 'VARCHAR(30)'],
  int: [/^(tiny|small|medium|big)?int$/, 'BIGINT'],
  float: [/^double$/, 'DOUBLE'],
  bool: [/^tinyint$/, 'TINYINT(1)'],
  datetime: [/^datetime$/, 'DATETIME(6)'],
  json: [/^(json|(medium|long)?text)$/, 'JSON'],
};

/** Types that can be converted to that of a kind of column, and what to do with others. */
const similar: Readonly<Partial<Record<StoredAs, RegExp>>> = {
  ...{ text: /^char$/, timeText: /^char$/, float: /^(float|decimal)$/, bool: /^(bit|boolean)$/ },
  ...{ datetime: /^(timestamp|date)$/, json: /^(tinytext|varchar)$/ },
};

const advice: Readonly<Record<string, string>> = {
  char: 'it removes spaces at the end',
  timestamp: "it depends on time_zone: SET time_zone = '+00:00' before you convert it",
  float: 'it has 32 bits',
  enum: 'it sorts by position; map the column that the statement adds',
  set: 'it sorts by position; map the column that the statement adds',
  uuid: 'it does not sort like its strings; map the column that the statement adds',
};

const padding = /_nopad_|_0900_bin$/;

/**
 * Compares a mapping with the catalogue of MariaDB, MySQL or TiDB without reading rows: types, character sets, collations, NOT NULL,
 * constraints, the unique key and the session. As `verifyMapping` of `tamis/sql`.
 *
 * @throws TypeError if a key has no column, or if the mapping is of another dialect.
 */
export async function verifyMapping<S extends Schema>(
  table: SqlMapping<S>,
  run: RunSql,
  options: VerifyOptions<RowOf<S>> = {},
): Promise<readonly SqlFinding[]> {
  const { dialect } = tableOf('verifyMapping', table).mapping;
  if (dialect.name !== 'mysql')
    throw new TypeError('verifyMapping: use verifyMapping of tamis/sql for a mapping of that dialect');
  const isMariadb = partsOf(dialect.bytewise([])).strings.join('').includes('nopad');
  return verifyTable(table, run, options, catalogueOf(dialect.quoted, isMariadb));
}

function catalogueOf(quoted: (name: string) => string, isMariadb: boolean): Catalogue {
  const collation = isMariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
  const details = new Map<string, ColumnDetails>();
  return {
    async factsOf(table, runQuery) {
      const name = table.at(-1) ?? '';
      const own = 'COALESCE(?, DATABASE())';
      const values = [table.at(-2) ?? null, name] as string[];
      const columns = await runQuery(
        `SELECT column_name AS name, data_type AS type, column_type AS declared, character_set_name AS charset, collation_name AS collation, is_nullable AS nullable, column_default AS value, extra AS extra, column_comment AS note FROM information_schema.columns WHERE table_schema = ${own} AND table_name = ?`,
        values,
      );
      const unique = await runQuery(
        `SELECT MIN(column_name) AS name FROM information_schema.statistics WHERE table_schema = ${own} AND table_name = ? AND non_unique = 0 GROUP BY index_name HAVING COUNT(*) = 1 AND MAX(sub_part) IS NULL ORDER BY MIN(index_name) <> 'PRIMARY'`,
        values,
      );
      const checks = await runQuery(
        `SELECT c.check_clause AS text FROM information_schema.check_constraints AS c ${isMariadb ? '' : 'JOIN information_schema.table_constraints AS t USING (constraint_schema, constraint_name) '}WHERE c.constraint_schema = ${own} AND ${isMariadb ? 'c' : 't'}.table_name = ?`,
        values,
      );
      const [session = {}] = await runQuery(
        'SELECT @@character_set_client AS client, @@character_set_connection AS connection, @@character_set_results AS results, @@sql_mode AS modes',
        [],
      );
      for (const { name: column, charset, collation: by, value, extra, note } of columns)
        details.set(String(column), {
          charset: String(charset ?? ''),
          collation: String(by ?? ''),
          hasExtra: !['null', 'NULL'].includes(String(value)) || String(extra) !== '' || String(note) !== '',
        });
      return {
        columns: new Map(
          columns.map(({ name: column, type, declared, nullable, collation: by }) => [
            String(column),
            {
              type: String(type).toLowerCase(),
              declared: String(declared),
              isNotNull: nullable === 'NO',
              isBytewise: by === collation,
              isDeterministic: true,
              labels: null,
            },
          ]),
        ),
        unique: new Set(unique.map((row) => String(row.name))),
        checks: checks.map(({ text }) => String(text)).join('\n'),
        isStrict: true,
        database: sessionFault(session),
      };
    },
    *findingsOf({ column }, facts, table, isKey) {
      yield* findingsOf(column, facts, details, { table, isKey, quoted, collation });
    },
    uniqueIndex: (table, key, index) => `CREATE UNIQUE INDEX ${index} ON ${table} (${key})`,
  };
}

/** Returns what is wrong with the settings of the session; null if nothing is. */
function sessionFault({
  client,
  connection,
  results,
  modes,
}: Readonly<Record<string, unknown>>): string | null {
  if ([client, connection, results].some((each) => each !== 'utf8mb4'))
    return 'the character set of the session is not utf8mb4, which loses characters: SET NAMES utf8mb4';
  if (String(modes).includes('ALLOW_INVALID_DATES'))
    return 'sql_mode has ALLOW_INVALID_DATES: the table can store dates that do not exist';
  const missing = ['NO_ZERO_DATE', 'NO_ZERO_IN_DATE'].filter((mode) => !String(modes).includes(mode));
  if (!/STRICT_(TRANS|ALL)_TABLES/.test(String(modes))) missing.unshift('STRICT_TRANS_TABLES');
  return missing.length === 0
    ? null
    : `sql_mode lacks ${missing.join(', ')}: the table can store values that rows cannot have`;
}

interface Context {
  readonly table: string;
  readonly isKey: boolean;
  readonly quoted: (name: string) => string;
  /** The name of the collation that compares bytes. */
  readonly collation: string;
}

function* findingsOf(
  { name, store, notNull, isBytewise, isChecked }: Column,
  facts: TableFacts,
  details: ReadonlyMap<string, ColumnDetails>,
  { table, isKey, quoted, collation }: Context,
): Generator<SqlFinding> {
  const [own, more] = [facts.columns.get(name), details.get(name)];
  const finding = findingOf(name);
  if (own === undefined || more === undefined) return yield finding('the table has no such column');
  const [stored, target] = types[store] ?? [/^$/, ''];
  const isText = store === 'text' || store === 'timeText';
  // MODIFY would drop the constraints of the column. That of JSON belongs to the type.
  const hasCheck = store !== 'json' && mentions(facts.checks, name);
  const modify = (type: string): string | null =>
    more.hasExtra || hasCheck
      ? null
      : `ALTER TABLE ${table} MODIFY ${quoted(name)} ${type}${isText ? ` CHARACTER SET utf8mb4 COLLATE ${collation}` : ''}${notNull || own.isNotNull ? ' NOT NULL' : ''}`;
  if (!stored.test(own.type)) {
    const converted = own.type === 'char' ? own.declared.replace('char', 'VARCHAR') : target;
    const help = advice[own.type] ?? 'map a generated column that has the value in that type';
    return yield finding(
      `it is ${own.declared}, which cannot store ${store}: ${help}`,
      similar[store]?.test(own.type)
        ? modify(converted)
        : store === 'text' && /^(enum|set|uuid)$/.test(own.type)
          ? `ALTER TABLE ${table} ADD ${quoted(`${name}_text`)} VARCHAR(255) CHARACTER SET utf8mb4 COLLATE ${collation} AS (${quoted(name)}) STORED`
          : null,
    );
  }
  if (isText && more.charset !== 'utf8mb4')
    yield finding(
      `its character set is ${more.charset}: statements with other characters fail`,
      modify(own.declared),
    );
  else if (isText && isBytewise && !own.isBytewise)
    yield finding(
      `the mapping has collation: 'C', but its collation is ${more.collation}`,
      modify(own.declared),
    );
  else if (isText && isKey && !(padding.test(more.collation) && more.collation.endsWith('bin')))
    yield finding(
      `its unique index compares by ${more.collation}, for which different strings are equal`,
      modify(own.declared),
    );
  if (notNull && !own.isNotNull)
    yield finding('the mapping has notNull, but the column is nullable', modify(own.declared));
  if (!notNull && own.isNotNull && store !== 'json')
    yield finding('it is NOT NULL: set notNull, so that statements are shorter and can use indexes');
  const check = checkOf(store, quoted(name), isChecked);
  if (
    check !== null &&
    own.type !== 'json' &&
    !facts.checks.split('\n').some((each) => isSufficient(each, store, name))
  )
    yield finding(
      store === 'bool'
        ? 'no constraint excludes integers other than 0 and 1'
        : 'the mapping has constrained, but no constraint checks the column',
      `ALTER TABLE ${table} ADD CHECK (${check})`,
    );
}

/** Whether a constraint excludes the values that rows cannot have. Others, such as `b IN (0, 1, 2)`, do not count. */
function isSufficient(check: string, store: StoredAs, name: string): boolean {
  const plain = check.toLowerCase().replace(/[`()\s]/g, '');
  const column = name.toLowerCase();
  switch (store) {
    case 'bool':
      return ['in0,1', 'in1,0', 'between0and1', `=0or${column}=1`].some((each) => plain === column + each);
    case 'datetime':
      return plain.includes(`from_daysto_days${column}`) && !/\bor\b/i.test(check);
    default:
      return plain === `json_valid${column}`;
  }
}

/** Returns the constraint that a column needs; null if none. */
function checkOf(store: StoredAs, column: string, isChecked: boolean): string | null {
  if (store === 'bool') return `${column} IN (0, 1)`;
  if (!isChecked) return null;
  if (store === 'json') return `JSON_VALID(${column})`;
  return store === 'datetime' ? sqlTextOf(partsOf(isWithin(raw(column), store)), '?') : null;
}
