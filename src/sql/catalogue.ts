import type { Column, StoredAs } from './column.js';
import type { DriverRow } from './decode.js';
import { quoted, type DialectName } from './dialect.js';

/** The catalogue's description of a table. */
export interface TableFacts {
  readonly columns: ReadonlyMap<string, ColumnFacts>;
  /** Columns that are unique on their own, the primary key first. */
  readonly unique: ReadonlySet<string>;
  /** The SQL of constraints, or the whole table definition. */
  readonly checks: string;
  /** Whether columns contain only values of their types. */
  readonly isStrict: boolean;
  /** The problem of the database as a whole; null if none exists. */
  readonly database: string | null;
}

export interface ColumnFacts {
  /** The type in lower case: `enum` for every enum, `citext` in any schema, and the affinity in a SQLite table that is not STRICT. */
  readonly type: string;
  /** The type as declared. */
  readonly declared: string;
  readonly isNotNull: boolean;
  readonly isBytewise: boolean;
  readonly isDeterministic: boolean;
  /** The name and the labels of the enum type of the column or its elements; null for other types. */
  readonly labels: {
    readonly type: readonly [schema: string, name: string];
    readonly values: readonly string[];
  } | null;
}

export type RunQuery = (text: string, values: string[]) => Promise<readonly DriverRow[]>;

const varchar = String.raw`text|character varying(\(\d+\))?`;

/** Types that can store each kind of column, matched against the whole type name in lower case. The first match maps a table. */
const types: Readonly<Record<DialectName, Readonly<Partial<Record<StoredAs, RegExp>>>>> = {
  postgres: {
    text: new RegExp(`^(${varchar})$`),
    timeText: new RegExp(`^(${varchar})$`),
    looseText: new RegExp(`^(citext|character(\\(\\d+\\))?|bpchar|${varchar})$`),
    int: /^(smallint|integer|bigint)$/,
    float: /^double precision$/,
    real: /^real$/,
    bool: /^boolean$/,
    timestamptz: /^timestamp(\(\d\))? with time zone$/,
    timestamp: /^timestamp(\(\d\))? without time zone$/,
    date: /^date$/,
    uuid: /^uuid$/,
    enum: /^enum$/,
    numeric: /^numeric(\(\d+,-?\d+\))?$/,
    array: new RegExp(`^(${varchar}|smallint|integer|bigint|double precision|boolean)\\[\\]$`),
    json: /^jsonb$/,
  },
  sqlite: {
    text: /^text$/,
    timeText: /^text$/,
    int: /^int(eger)?$/,
    float: /^(real|numeric)$/,
    bool: /^(int(eger)?|numeric)$/,
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
    timestamp: /^timestamp$/,
    date: /^date$/,
    array: /\[\]$/,
    map: /^map\(varchar, /,
    struct: /^struct\(/,
  },
};

/** Whether a type of the database can be the type of a column. */
export function canStore(dialect: DialectName, { store, element }: Column, type: string): boolean {
  if (element !== null) return type.endsWith('[]') && canStore(dialect, element, type.slice(0, -2));
  return types[dialect][store]?.test(type) === true;
}

/** Returns how a type of the database is stored; null if no column type stores it. */
export function storedAs(dialect: DialectName, type: string): StoredAs | null {
  const found = Object.entries(types[dialect]).find(([, pattern]) => pattern.test(type));
  return (found?.[0] as StoredAs | undefined) ?? null;
}

/** Returns the name of the function that creates a column. */
export function makerOf(store: StoredAs): string {
  return store === 'enum' ? 'enumeration' : store === 'json' ? 'jsonb' : store;
}

/** Returns the digits of a `numeric` type; infinite if it is declared without. */
export function digitsOf(type: string): readonly [precision: number, scale: number] {
  const [, precision = Infinity, scale = Infinity] = /\((\d+),(-?\d+)\)/.exec(type) ?? [];
  return [Number(precision), Number(scale)];
}

/** Reads the catalogue's description of a table. It has no columns if the table does not exist. */
export const tableFacts: Readonly<
  Record<DialectName, (table: readonly string[], runQuery: RunQuery) => Promise<TableFacts>>
> = {
  async postgres(table, runQuery) {
    const name = table.map(quoted).join('.');
    const columns = await runQuery(
      `SELECT a.attname::text AS name, a.attnotnull::text AS is_not_null, format_type(b.oid, a.typmod) AS declared,
 CASE WHEN e.typtype = 'e' THEN 'enum' WHEN e.typname = 'citext' THEN 'citext' ELSE format_type(e.oid, a.typmod) END || CASE WHEN e.oid <> b.oid THEN '[]' ELSE '' END AS type,
 CASE WHEN e.typtype = 'e' THEN (SELECT json_agg(l.enumlabel ORDER BY l.enumsortorder)::text FROM pg_enum l WHERE l.enumtypid = e.oid) END AS labels,
 n.nspname::text AS type_schema, e.typname::text AS type_name,
 COALESCE(c.collname::text, '') AS collation, COALESCE(c.collisdeterministic, TRUE)::text AS is_deterministic
 FROM (SELECT a.*, COALESCE(NULLIF(t.typbasetype, 0), t.oid) AS base, CASE t.typbasetype WHEN 0 THEN a.atttypmod ELSE t.typtypmod END AS typmod
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = to_regclass($1::text) AND a.attnum > 0 AND NOT a.attisdropped) a
 JOIN pg_type b ON b.oid = a.base JOIN pg_type e ON e.oid = CASE WHEN b.typcategory = 'A' THEN b.typelem ELSE b.oid END
 JOIN pg_namespace n ON n.oid = e.typnamespace LEFT JOIN pg_collation c ON c.oid = a.attcollation ORDER BY a.attnum`,
      [name],
    );
    const unique = await runQuery(
      `SELECT a.attname::text AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
 WHERE i.indrelid = to_regclass($1::text) AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL ORDER BY i.indisprimary DESC`,
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
            declared: String(row.declared),
            isNotNull: row.is_not_null === 'true',
            isBytewise: row.collation === 'C' || row.collation === 'POSIX',
            isDeterministic: row.is_deterministic === 'true',
            labels:
              typeof row.labels === 'string'
                ? {
                    type: [String(row.type_schema), String(row.type_name)],
                    values: JSON.parse(row.labels) as string[],
                  }
                : null,
          },
        ]),
      ),
      unique: new Set(unique.map((row) => String(row.name))),
      checks: checks.map((row) => String(row.text)).join(' '),
      isStrict: true,
      database: encodingFault(String(database?.encoding), 'UTF8'),
    };
  },
  async sqlite(table, runQuery) {
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
    const isStrict = Number(list?.strict) === 1;
    // An INTEGER PRIMARY KEY is the row number, which is never null.
    const isRowId = ({ type }: DriverRow): boolean => keys.length === 1 && /^integer$/i.test(String(type));
    return {
      columns: new Map(
        columns.map((row) => [
          String(row.name),
          {
            ...plain,
            type: isStrict ? String(row.type).toLowerCase() : affinityOf(String(row.type)),
            declared: String(row.type),
            isNotNull: Number(row.is_not_null) === 1 || (Number(row.pk) > 0 && isRowId(row)),
          },
        ]),
      ),
      unique: new Set([...(keys.length === 1 ? keys : []), ...unique].map((row) => String(row.name))),
      checks: [...text.matchAll(/\bCHECK\b[^\n]*/gi)].map(([found]) => found).join(' '),
      isStrict,
      database: encodingFault(database?.bytes === '61' ? 'UTF-8' : 'UTF-16', 'UTF-8'),
    };
  },
  async duckdb(table, runQuery) {
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
            ...plain,
            type: String(row.type).toLowerCase(),
            declared: String(row.type),
            isNotNull: row.is_nullable === 'NO' || row.is_nullable === false,
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

/** Facts of engines whose strings are always compared by bytes. */
const plain = { isBytewise: true, isDeterministic: true, labels: null } as const;

/** Returns the affinity of a declared type in SQLite, in lower case. */
function affinityOf(type: string): string {
  if (/int/i.test(type)) return 'integer';
  if (/char|clob|text/i.test(type)) return 'text';
  if (type === '' || /blob/i.test(type)) return 'blob';
  return /real|floa|doub/i.test(type) ? 'real' : 'numeric';
}
