import { checkNames, describe } from '../language/diagnostics/options.js';
import { defineSchema, t } from '../language/schema/define.js';
import type { Schema } from '../language/schema/schema.js';
import type { Type } from '../language/schema/type.js';
import { fieldPathText } from '../language/syntax/field-path.js';
import { digitsOf, makerOf, storedAs, tableFacts, type ColumnFacts, type RunQuery } from './catalogue.js';
import { array, bool, date, float, int, jsonb, map, real, text, timestamp, timestamptz } from './column.js';
import type { Column, ColumnOptions, StoredAs } from './column.js';
import { dialects, quoted, type DialectName } from './dialect.js';
import { enumeration } from './enum-column.js';
import { looseText } from './loose-text.js';
import { readNames } from './mapping.js';
import { numeric } from './numeric.js';
import type { RunSql } from './run-statement.js';
import { sqlMapping, type SqlMapping } from './sql-mapping.js';
import { uuid } from './uuid.js';
import type { SqlFinding } from './verify.js';

export interface MapTableOptions {
  /** The engine. Default: what the database says. */
  readonly dialect?: DialectName | undefined;
  /** Names of the columns to map. Default: the first 1,000. */
  readonly only?: readonly string[] | undefined;
}

/** A table as described by the catalogue. */
export interface MappedTable {
  readonly schema: Schema;
  readonly mapping: SqlMapping;
  /** The column for `key` of `sqlListSource`; null if no column is unique and NOT NULL. */
  readonly key: string | null;
  /** Columns that are not mapped, and other problems, each with what to do. */
  readonly findings: readonly SqlFinding[];
  /** The schema and the mapping as a TypeScript module. */
  readonly source: string;
}

interface Mapped {
  readonly type: Type;
  readonly column: Column;
}

/** Maximum number of mapped columns. Prevents schemas of more fields than filters and statements are made for. */
const maxColumns = 1_000;

/**
 * Reads the catalogue and returns the schema and the mapping of an existing table, for PostgreSQL, SQLite and DuckDB. Fields have
 * the names of the columns. Timestamps without a zone are read as UTC: check that they are.
 *
 * ```ts
 * const { mapping, key, source } = await mapTable(run, 'jobs');
 * ```
 *
 * @throws TypeError if the table does not exist.
 */
export async function mapTable(
  run: RunSql,
  table: string | readonly string[],
  options: MapTableOptions = {},
): Promise<MappedTable> {
  const caller = 'mapTable';
  checkNames<MapTableOptions>(caller, 'option', options, ['dialect', 'only']);
  if (typeof run !== 'function')
    throw new TypeError(`${caller}: run must be a function that queries the database, got ${describe(run)}`);
  const names = readNames(caller, 'table', typeof table === 'string' ? [table] : table);
  const runQuery: RunQuery = async (statement, values) => (await run(statement, values, null)) as never;
  const dialect = options.dialect ?? (await dialectOf(runQuery));
  if (!Object.hasOwn(dialects, dialect))
    throw new TypeError(
      `${caller}: dialect must be 'postgres', 'sqlite' or 'duckdb', got ${describe(dialect)}`,
    );
  const { columns, unique, isStrict } = await tableFacts[dialect](names, runQuery);
  const [from, whole] = [names.map(quoted).join('.'), names.join('.')];
  if (columns.size === 0) throw new TypeError(`${caller}: there is no table ${whole}`);
  const { only = [...columns.keys()].slice(0, maxColumns) } = options;
  if (only.length > maxColumns)
    throw new TypeError(`${caller}: only must have at most ${maxColumns} names, got ${only.length}`);
  const findings: SqlFinding[] = [];
  const find = (message: string, sql: string | null = null): unknown =>
    findings.push({ column: null, message, sql });
  if (options.only === undefined && columns.size > maxColumns)
    find(
      `the table has ${columns.size} columns, and only the first ${maxColumns} are mapped: name others in \`only\``,
    );
  const mapped = new Map<string, Mapped>();
  for (const name of only) {
    const facts = columns.get(name);
    if (facts === undefined)
      throw new TypeError(`${caller}: only names ${describe(name)}, which is not a column of ${whole}`);
    const found = mapColumn(name, facts, dialect);
    if (found === null) findings.push(unmapped(name, facts, names, dialect));
    else mapped.set(name, facts.isNotNull ? found : { ...found, type: t.nullable(found.type) });
  }
  const isKey = (name: string): boolean => {
    const { type, column } = mapped.get(name) ?? {};
    return column?.notNull === true && (type?.kind === 'string' || type?.kind === 'int');
  };
  const key = [...unique].find(isKey) ?? null;
  if (key === null)
    find(
      'no mapped column is unique and NOT NULL, which lists need for their key',
      dialect === 'postgres'
        ? `ALTER TABLE ${from} ADD COLUMN ${quoted('list_key')} bigint GENERATED ALWAYS AS IDENTITY UNIQUE`
        : null,
    );
  if (!isStrict) find('the table is not STRICT: its columns may contain values of other types');
  const entries = [...mapped];
  const schema = defineSchema(Object.fromEntries(entries.map(([name, { type }]) => [name, type])));
  const mapping = sqlMapping(schema, {
    dialect,
    table: names,
    columns: Object.fromEntries(entries.map(([name, { column }]) => [fieldPathText([name]), column])),
  });
  return { schema, mapping, key, findings, source: moduleOf(entries, names, dialect, key, findings) };
}

/** Detects the engine of the database. SQLite has no function `version`. */
async function dialectOf(runQuery: RunQuery): Promise<DialectName> {
  try {
    const [row] = await runQuery('SELECT version() AS version', []);
    return /postgres/i.test(String(row?.version)) ? 'postgres' : 'duckdb';
  } catch (error) {
    const isSqlite = await runQuery('SELECT sqlite_version() AS version', []).catch(() => null);
    if (isSqlite === null) throw error;
    return 'sqlite';
  }
}

/** Column types that need no more than a name. */
const simple: Readonly<
  Partial<Record<StoredAs, readonly [Type, (name: string, options: ColumnOptions) => Column]>>
> = {
  ...{ looseText: [t.string, looseText], uuid: [t.string, uuid], bool: [t.bool, bool] },
  ...{ timestamptz: [t.time, timestamptz], date: [t.time, date], real: [t.float32, real] },
  json: [t.any, (name, options) => jsonb(name, options)],
};

/** Returns the type of a field and its column; null if no column type stores it. */
function mapColumn(name: string, facts: ColumnFacts, dialect: DialectName): Mapped | null {
  const { type, declared, labels } = facts;
  const notNull = facts.isNotNull ? { notNull: true } : {};
  if (type.endsWith('[]')) {
    const element = mapColumn(name, { ...facts, type: type.slice(0, -2), isNotNull: false }, dialect);
    if (element === null || !'string int bool float64 time'.includes(element.type.kind)) return null;
    const isPlain = dialect === 'duckdb' || /^(text|int|float|bool)$/.test(element.column.store);
    return { type: t.list(element.type), column: array(isPlain ? name : element.column, notNull) };
  }
  const store = storedAs(dialect, type);
  const [field, maker] = (store === null ? undefined : simple[store]) ?? [];
  if (field !== undefined && maker !== undefined) return { type: field, column: maker(name, notNull) };
  switch (store) {
    case 'text': {
      if (!facts.isDeterministic) return { type: t.string, column: looseText(name, notNull) };
      const isBytewise = dialect === 'postgres' && facts.isBytewise;
      return { type: t.string, column: text(name, isBytewise ? { ...notNull, collation: 'C' } : notNull) };
    }
    case 'enum': {
      const [first, ...others] = labels?.values ?? [];
      return labels === null || first === undefined
        ? null
        : { type: t.oneOf(first, ...others), column: enumeration(name, { ...labels, ...notNull }) };
    }
    case 'int': {
      const isLarge = type === 'bigint' || dialect === 'sqlite';
      return { type: isLarge ? t.int : t.int({ safe: true }), column: int(name, notNull) };
    }
    case 'numeric': {
      const [precision, scale] = digitsOf(type);
      const isInteger = scale === 0 && precision <= 18;
      const size = precision === Infinity ? {} : { precision, scale: Math.max(scale, 0) };
      return { type: isInteger ? t.int : t.float64, column: numeric(name, { ...notNull, ...size }) };
    }
    case 'float':
      // In SQLite all columns of other types have the affinity NUMERIC. Booleans are stored as 0 and 1.
      if (/bool/i.test(declared)) return { type: t.bool, column: bool(name, notNull) };
      return /date|time/i.test(declared) ? null : { type: t.float64, column: float(name, notNull) };
    case 'timestamp':
      return { type: t.time, column: timestamp(name, { ...notNull, zone: 'UTC' }) };
    case 'map': {
      const value = mapColumn(name, { ...facts, type: type.slice('map(varchar, '.length, -1) }, dialect);
      return value === null ? null : { type: t.map(value.type), column: map(name, notNull) };
    }
    default:
      return null;
  }
}

/** Returns what to do about a column that no column type stores. */
function unmapped(
  name: string,
  { declared, type }: ColumnFacts,
  table: readonly string[],
  dialect: DialectName,
): SqlFinding {
  const [own, from] = [quoted(name), table.map(quoted).join('.')];
  if (dialect === 'sqlite' && /date|time/i.test(declared)) {
    const message = `${declared} is stored as text or as a number: map it with timeText() if all values have one form, or with int()`;
    return { column: name, message, sql: null };
  }
  const view = [...table.slice(0, -1), `${table.at(-1) ?? ''}_list`].map(quoted).join('.');
  const string = `CAST(${own} AS ${dialect === 'duckdb' ? 'VARCHAR' : 'TEXT'}) AS ${quoted(`${name}_text`)}`;
  const sql =
    type === 'json' && dialect === 'postgres'
      ? `ALTER TABLE ${from} ALTER COLUMN ${own} TYPE jsonb USING ${own}::jsonb`
      : `CREATE VIEW ${view} AS SELECT *, ${string} FROM ${from}`;
  return {
    column: name,
    message: `${declared === '' ? 'a column without a type' : declared} is not supported: ${type === 'json' ? 'convert it' : 'map a view that has it as a string'}`,
    sql,
  };
}

function moduleOf(
  columns: readonly (readonly [name: string, mapped: Mapped])[],
  table: readonly string[],
  dialect: DialectName,
  key: string | null,
  findings: readonly SqlFinding[],
): string {
  const used = new Set(columns.flatMap(([, { column }]) => makersOf(column)));
  const entry = (name: string, code: string): string =>
    `${name === '__proto__' ? "['__proto__']" : printKey(name)}: ${code},`;
  const comments = findings.flatMap(({ column, message, sql }) => [
    `// ${column === null ? '' : `${column}: `}${message}`,
    ...(sql === null ? [] : [`//   ${sql}`]),
  ]);
  return [
    `import { defineSchema, t } from 'tamis';`,
    `import { ${['sqlMapping', ...used].sort().join(', ')} } from 'tamis/sql';`,
    '',
    // Names in comments must not begin a line of code.
    ...comments.map((line) => line.replace(/[\n\r\u2028\u2029]/g, ' ')),
    'export const schema = defineSchema({',
    ...columns.map(([name, { type }]) => `  ${entry(name, printType(type))}`),
    '});',
    '',
    'export const mapping = sqlMapping(schema, {',
    `  dialect: '${dialect}',`,
    `  table: ${print(table.length === 1 ? table[0] : table)},`,
    '  columns: {',
    ...columns.map(([name, { column }]) => `    ${entry(fieldPathText([name]), printColumn(column))}`),
    '  },',
    '});',
    ...(key === null ? [] : ['', `export const key = ${print(key)};`]),
    '',
  ].join('\n');
}

function makersOf({ store, element }: Column): readonly string[] {
  return [makerOf(store), ...(element === null ? [] : makersOf(element))];
}

function printType(type: Type): string {
  if (type.nullDepth > 0) return `t.nullable(${printType({ ...type, nullDepth: 0 })})`;
  if ('of' in type) return `t.${type.kind}(${printType(type.of)})`;
  if ('values' in type && type.values !== undefined) return `t.oneOf(${type.values.map(print).join(', ')})`;
  return `t.${type.kind}${'safe' in type ? '({ safe: true })' : ''}`;
}

function printColumn({ store, name, notNull, isBytewise, labels, size, element }: Column): string {
  const options = {
    ...(notNull ? { notNull } : {}),
    ...(isBytewise ? { collation: 'C' } : {}),
    ...(store === 'timestamp' ? { zone: 'UTC' } : {}),
    ...labels,
    ...size,
  };
  const given = Object.keys(options).length === 0 ? '' : `, ${print(options)}`;
  return `${makerOf(store)}(${element === null ? print(name) : printColumn(element)}${given})`;
}

/** Writes a value as JavaScript. */
function print(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, each]) => `${printKey(name)}: ${print(each)}`);
  return `{ ${members.join(', ')} }`;
}

function printKey(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : print(name);
}
