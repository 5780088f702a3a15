import { declaredField } from '../language/schema/declared-field.js';
import type { FieldName } from '../language/schema/field-path.js';
import { checkNames, describe } from '../language/diagnostics/options.js';
import type { RowOf } from '../language/schema/row.js';
import type { Schema } from '../language/schema/schema.js';
import type { Column } from './column.js';
import type { DriverRow } from './decode.js';
import { quoted, type DialectName } from './dialect.js';
import type { MappedField, Mapping } from './mapping.js';
import type { RunSql } from './rows.js';
import { tableOf, type SqlMapping } from './sql-mapping.js';

/** A claim of a mapping that the catalogue does not confirm. */
export interface SqlFinding {
  /** The column; null if the finding is about the table or the database. */
  readonly column: string | null;
  readonly message: string;
  /** The statement that fixes it; null if there is no short one. */
  readonly sql: string | null;
}

/** The catalogue's description of a table. */
interface Facts {
  readonly columns: ReadonlyMap<string, ColumnFacts>;
  /** Columns that are unique on their own. */
  readonly unique: ReadonlySet<string>;
  /** The SQL of constraints, or the whole table definition. */
  readonly checks: string;
  /** Whether columns contain only values of their types. */
  readonly isStrict: boolean;
  /** The problem of the database as a whole; null if none exists. */
  readonly database: string | null;
}

interface ColumnFacts {
  readonly type: string;
  readonly isNotNull: boolean;
  readonly isBytewise: boolean;
  readonly isDeterministic: boolean;
}

type RunQuery = (text: string, values: string[]) => Promise<readonly DriverRow[]>;

/** Types that can store each kind of column, matched against the whole type name in lower case. */
const types: Readonly<Record<DialectName, Readonly<Partial<Record<Column['store'], RegExp>>>>> = {
  postgres: {
    text: /^(text|character varying(\(\d+\))?)$/,
    timeText: /^(text|character varying(\(\d+\))?)$/,
    int: /^(smallint|integer|bigint)$/,
    float: /^double precision$/,
    real: /^real$/,
    bool: /^boolean$/,
    timestamptz: /^timestamp(\(\d\))? with time zone$/,
    array: /^(text|character varying(\(\d+\))?|smallint|integer|bigint|double precision|boolean)\[\]$/,
    json: /^jsonb$/,
  },
  sqlite: {
    text: /^text$/,
    timeText: /^text$/,
    int: /^int(eger)?$/,
    float: /^real$/,
    bool: /^int(eger)?$/,
    json: /^text$/,
  },
  duckdb: {
    text: /^varchar$/,
    timeText: /^varchar$/,
    int: /^(tinyint|smallint|integer|bigint)$/,
    float: /^double$/,
    real: /^float$/,
    bool: /^boolean$/,
    timestamptz: /^timestamp with time zone$/,
    array: /\[\]$/,
    map: /^map\(varchar, /,
    struct: /^struct\(/,
  },
};

export interface VerifyOptions<T> {
  /** The property of the pages' key, which must be unique. */
  readonly key?: FieldName<T> | undefined;
}

/**
 * Compares a mapping with the catalogue of the database without reading rows: types, NOT NULL, collations, constraints and the
 * unique key. Returns the findings, each with its fix; empty if the mapping is correct. Not checked, because catalogues lack it:
 * dimensions of arrays, shapes of JSON, NaN in SQLite (NULL there). @throws TypeError if a key has no column.
 */
export async function verifyMapping<S extends Schema>(
  table: SqlMapping<S>,
  run: RunSql,
  options: VerifyOptions<RowOf<S>> = {},
): Promise<readonly SqlFinding[]> {
  const caller = 'verifyMapping';
  const { mapping } = tableOf(caller, table);
  checkNames<VerifyOptions<RowOf<S>>>(caller, 'option', options, ['key']);
  const { key = null } = options;
  const keyField = declaredField(mapping.schema.root, key);
  if (key !== null && (keyField === null || !mapping.fields.has(keyField.property)))
    throw new TypeError(`${caller}: the key ${describe(key)} has no column in the mapping`);
  const runQuery: RunQuery = async (text, values) => (await run(text, values, null)) as readonly DriverRow[];
  const name = mapping.table.at(-1) ?? '';
  const { dialect } = mapping;
  const facts = await factsOf[dialect.name](mapping, runQuery);
  if (facts.columns.size === 0) return [{ column: null, message: `there is no table ${name}`, sql: null }];
  const named = mapping.table.map(quoted).join('.');
  const found: SqlFinding[] = [];
  if (facts.database !== null) found.push({ column: null, message: facts.database, sql: null });
  if (!facts.isStrict) {
    const message = 'the table is not STRICT: its columns may contain values of other types';
    found.push({ column: null, message, sql: null });
  }
  const walk = (fields: ReadonlyMap<string, MappedField>): void => {
    for (const { column, parts } of fields.values()) {
      if (parts !== null) walk(parts);
      if (column !== null) found.push(...findingsOf(column, facts, named, dialect.name));
    }
  };
  walk(mapping.fields);
  const keyColumn = mapping.fields.get(keyField?.property ?? '')?.column?.name ?? null;
  if (keyColumn !== null && !facts.unique.has(keyColumn)) {
    const sql = `CREATE UNIQUE INDEX ON ${named} (${quoted(keyColumn)})`;
    const indexed = dialect.name === 'postgres' ? sql : sql.replace(' ON', ` ${quoted(`${name}_key`)} ON`);
    found.push({
      column: keyColumn,
      message: 'the key is not unique: a page could omit a row',
      sql: indexed,
    });
  }
  return found;
}

function* findingsOf(
  column: Column,
  facts: Facts,
  table: string,
  dialect: DialectName,
): Generator<SqlFinding> {
  const { name, store, notNull, isBytewise, isChecked } = column;
  const own = facts.columns.get(name);
  const alter = `ALTER TABLE ${table}`;
  const finding = (message: string, sql: string | null = null): SqlFinding => ({
    column: name,
    message,
    sql,
  });
  if (own === undefined) return yield finding('the table has no such column');
  if (types[dialect][store]?.test(own.type.toLowerCase()) !== true)
    yield finding(`it is ${own.type}, which cannot store ${store}`);
  if (notNull && !own.isNotNull) {
    const sql = dialect === 'sqlite' ? null : `${alter} ALTER COLUMN ${quoted(name)} SET NOT NULL`;
    yield finding('the mapping has notNull, but the column is nullable', sql);
  }
  if (!notNull && own.isNotNull && store !== 'json')
    yield finding('it is NOT NULL: set notNull, so that statements are shorter and can use indexes');
  if (!own.isDeterministic)
    yield finding(
      'its collation is not deterministic: different strings compare as equal',
      `${alter} ALTER COLUMN ${quoted(name)} TYPE text COLLATE "C"`,
    );
  if (isBytewise && !own.isBytewise)
    yield finding(
      "the mapping has collation: 'C', but the column has a different one",
      `${alter} ALTER COLUMN ${quoted(name)} TYPE text COLLATE "C"`,
    );
  const constraint = checkOf(column, dialect);
  if (
    isChecked &&
    constraint !== null &&
    !(facts.checks.includes(quoted(name)) || mentions(facts.checks, name))
  )
    yield finding(
      'the mapping has constrained, but no constraint checks the column',
      dialect === 'postgres' ? `${alter} ADD CHECK (${constraint})` : null,
    );
}

function mentions(checks: string, name: string): boolean {
  return checks.split(/[^\p{L}\p{N}_$]+/u).includes(name);
}

/** Returns the constraint that `constrained` claims for a column. */
function checkOf({ store, name }: Column, dialect: DialectName): string | null {
  const column = quoted(name);
  if (store === 'timestamptz')
    return `${column} BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59.999999+00'`;
  if (dialect !== 'sqlite') return null;
  return store === 'text'
    ? `instr(${column}, char(0)) = 0`
    : store === 'json'
      ? `json_valid(${column})`
      : null;
}

const factsOf: Readonly<Record<DialectName, (mapping: Mapping, runQuery: RunQuery) => Promise<Facts>>> = {
  async postgres({ table }, runQuery) {
    const name = table.map(quoted).join('.');
    const columns = await runQuery(
      `SELECT a.attname::text AS name, format_type(COALESCE(NULLIF(t.typbasetype, 0), a.atttypid), CASE t.typbasetype WHEN 0 THEN a.atttypmod ELSE t.typtypmod END) AS type, a.attnotnull::text AS is_not_null,
 COALESCE(c.collname::text, '') AS collation, COALESCE(c.collisdeterministic, TRUE)::text AS is_deterministic
 FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation c ON c.oid = a.attcollation
 WHERE a.attrelid = to_regclass($1::text) AND a.attnum > 0 AND NOT a.attisdropped`,
      [name],
    );
    const unique = await runQuery(
      `SELECT a.attname::text AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
 WHERE i.indrelid = to_regclass($1::text) AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL`,
      [name],
    );
    const checks = await runQuery(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = to_regclass($1::text) AND contype = 'c'`,
      [name],
    );
    const [database] = await runQuery(
      `SELECT pg_encoding_to_char(encoding)::text AS encoding FROM pg_database WHERE datname = current_database()`,
      [],
    );
    return {
      columns: new Map(
        columns.map((row) => [
          String(row.name),
          {
            type: String(row.type),
            isNotNull: row.is_not_null === 'true',
            isBytewise: row.collation === 'C' || row.collation === 'POSIX',
            isDeterministic: row.is_deterministic === 'true',
          },
        ]),
      ),
      unique: new Set(unique.map((row) => String(row.name))),
      checks: checks.map((row) => String(row.text)).join(' '),
      isStrict: true,
      database: encodingFault(String(database?.encoding), 'UTF8'),
    };
  },
  async sqlite({ table }, runQuery) {
    const name = table.at(-1) ?? '';
    const columns = await runQuery(
      'SELECT name, type, "notnull" AS is_not_null, pk FROM pragma_table_info(?)',
      [name],
    );
    const unique = await runQuery(
      'SELECT (SELECT name FROM pragma_index_info(l.name)) AS name FROM pragma_index_list(?) AS l WHERE l."unique" = 1 AND l.partial = 0 AND (SELECT count(*) FROM pragma_index_info(l.name)) = 1',
      [name],
    );
    const [list] = await runQuery('SELECT strict FROM pragma_table_list(?)', [name]);
    const [definition] = await runQuery('SELECT sql FROM sqlite_schema WHERE name = ?', [name]);
    const [database] = await runQuery(`SELECT hex(CAST('a' AS BLOB)) AS bytes`, []);
    const text = typeof definition?.sql === 'string' ? definition.sql : '';
    const keys = columns.filter(({ pk }) => Number(pk) > 0);
    return {
      columns: new Map(
        columns.map((row) => [
          String(row.name),
          {
            type: String(row.type),
            isNotNull: Number(row.is_not_null) === 1,
            isBytewise: true,
            isDeterministic: true,
          },
        ]),
      ),
      unique: new Set([...unique, ...(keys.length === 1 ? keys : [])].map((row) => String(row.name))),
      checks: [...text.matchAll(/\bCHECK\b[^\n]*/gi)].map(([found]) => found).join(' '),
      isStrict: Number(list?.strict) === 1,
      database: encodingFault(database?.bytes === '61' ? 'UTF-8' : 'UTF-16', 'UTF-8'),
    };
  },
  async duckdb({ table }, runQuery) {
    const name = table.at(-1) ?? '';
    const columns = await runQuery(
      'SELECT column_name AS name, data_type AS type, is_nullable FROM information_schema.columns WHERE table_name = ?',
      [name],
    );
    const constraints = await runQuery(
      'SELECT constraint_type AS kind, constraint_text AS text, array_to_string(constraint_column_names, chr(31)) AS names FROM duckdb_constraints() WHERE table_name = ?',
      [name],
    );
    const indexes = await runQuery(
      'SELECT expressions AS names FROM duckdb_indexes() WHERE table_name = ? AND is_unique',
      [name],
    );
    const [settings] = await runQuery(`SELECT current_setting('default_collation') AS collation`, []);
    const isUnique = ({ kind, names }: DriverRow): boolean =>
      (kind === 'PRIMARY KEY' || kind === 'UNIQUE') && !String(names).includes('\x1f');
    return {
      columns: new Map(
        columns.map((row) => [
          String(row.name),
          {
            type: String(row.type),
            isNotNull: row.is_nullable === 'NO' || row.is_nullable === false,
            isBytewise: true,
            isDeterministic: true,
          },
        ]),
      ),
      unique: new Set([
        ...constraints.filter(isUnique).map(({ names }) => String(names)),
        ...indexes.map(({ names }) => String(names).replace(/^\[['"]*|['"]*\]$/g, '')),
      ]),
      checks: constraints.flatMap(({ kind, text }) => (kind === 'CHECK' ? [String(text)] : [])).join(' '),
      isStrict: true,
      database:
        String(settings?.collation ?? '') === ''
          ? null
          : 'default_collation is set: strings are compared by it instead of by bytes',
    };
  },
};

function encodingFault(encoding: string, expected: string): string | null {
  return encoding === expected
    ? null
    : `the encoding of the database is ${encoding}: strings sort differently than in ${expected}`;
}
