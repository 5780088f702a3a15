import { declaredField } from '../language/schema/declared-field.js';
import type { FieldName } from '../language/schema/field-path.js';
import { checkNames, describe } from '../language/diagnostics/options.js';
import type { RowOf } from '../language/schema/row.js';
import type { Schema } from '../language/schema/schema.js';
import type { Type } from '../language/schema/type.js';
import { integers64, type Column, type StoredAs } from './column.js';
import {
  canStore,
  digitsOf,
  makerOf,
  storedAs,
  tableFacts,
  type ColumnFacts,
  type RunQuery,
  type TableFacts,
} from './catalogue.js';
import { dialects, isDialectName, quoted, quotedText, type DialectName } from './dialect.js';
import { isWithin } from './leaf.js';
import { storedTypeOf } from './column-access.js';
import { fitsColumn, type MappedField } from './mapping.js';
import type { RunSql } from './run-statement.js';
import { tableOf, type SqlMapping } from './sql-mapping.js';
import { partsOf, raw, sqlTextOf } from './sql.js';

/** A claim of a mapping that the catalogue does not confirm. */
export interface SqlFinding {
  /** The column; null if the finding is about the table or the database. */
  readonly column: string | null;
  readonly message: string;
  /** The statement that fixes it; null if there is no short one. */
  readonly sql: string | null;
}

export interface VerifyOptions<T> {
  /** The property of the pages' key, which must be unique. */
  readonly key?: (unknown extends T ? string : FieldName<T>) | undefined;
}

/**
 * Compares a mapping with the catalogue of the database without reading rows: types, NOT NULL, collations, constraints and the
 * unique key. Returns the findings, each with its fix; empty if the mapping is correct. Not checked, because catalogues lack it:
 * dimensions of arrays and shapes of JSON. @throws TypeError if a key has no column.
 */
export async function verifyMapping<S extends Schema>(
  table: SqlMapping<S>,
  run: RunSql,
  options: VerifyOptions<RowOf<S>> = {},
): Promise<readonly SqlFinding[]> {
  const { name } = tableOf('verifyMapping', table).mapping.dialect;
  if (!isDialectName(name))
    throw new TypeError(`verifyMapping: use verifyMapping of tamis/${name} for a mapping of that dialect`);
  return verifyTable(table, run, options, {
    factsOf: tableFacts[name],
    findingsOf: (field, facts, named) => findingsOf(field, facts, named, name),
    uniqueIndex: (named, key, index) =>
      `CREATE UNIQUE INDEX ${name === 'postgres' ? '' : `${index} `}ON ${named} (${key})`,
  });
}

/** How the catalogue of an engine is read and compared. */
export interface Catalogue {
  readonly factsOf: (table: readonly string[], runQuery: RunQuery) => Promise<TableFacts>;
  readonly findingsOf: (
    field: { readonly column: Column; readonly type: Type },
    facts: TableFacts,
    table: string,
    isKey: boolean,
  ) => Iterable<SqlFinding>;
  /** Returns the statement that creates a unique index, given quoted names. */
  readonly uniqueIndex: (table: string, key: string, index: string) => string;
}

/** Returns a function that creates the findings of a column; null for the whole table. */
export function findingOf(column: string | null): (message: string, sql?: string | null) => SqlFinding {
  return (message, sql = null) => ({ column, message, sql });
}

/** Compares a mapping with a catalogue. */
export async function verifyTable<S extends Schema>(
  table: SqlMapping<S>,
  run: RunSql,
  options: VerifyOptions<RowOf<S>>,
  { factsOf, findingsOf: findings, uniqueIndex }: Catalogue,
): Promise<readonly SqlFinding[]> {
  const caller = 'verifyMapping';
  const { mapping } = tableOf(caller, table);
  checkNames<VerifyOptions<RowOf<S>>>(caller, 'option', options, ['key']);
  const { key = null } = options;
  const keyField = declaredField(mapping.schema.root, key);
  if (key !== null && (keyField === null || !mapping.fields.has(keyField.property)))
    throw new TypeError(`${caller}: the key ${describe(key)} has no column in the mapping`);
  const runQuery: RunQuery = async (text, values) => (await run(text, values, null)) as never;
  const name = mapping.table.at(-1) ?? '';
  const { quoted: quote } = mapping.dialect;
  const facts = await factsOf(mapping.table, runQuery);
  const ofTable = findingOf(null);
  if (facts.columns.size === 0) return [ofTable(`there is no table ${name}`)];
  const named = mapping.table.map(quote).join('.');
  const found: SqlFinding[] = [];
  if (facts.database !== null) found.push(ofTable(facts.database));
  if (!facts.isStrict)
    found.push(ofTable('the table is not STRICT: its columns may contain values of other types'));
  const keyColumn = mapping.fields.get(keyField?.property ?? '')?.column?.name ?? null;
  const walk = (fields: ReadonlyMap<string, MappedField>): void => {
    for (const { column, type, parts } of fields.values()) {
      if (parts !== null) walk(parts);
      if (column !== null) found.push(...findings({ column, type }, facts, named, column.name === keyColumn));
    }
  };
  walk(mapping.fields);
  if (keyColumn !== null && !facts.unique.has(keyColumn))
    found.push(
      findingOf(keyColumn)(
        'the key is not unique: a page could omit a row',
        uniqueIndex(named, quote(keyColumn), quote(`${name}_key`)),
      ),
    );
  return found;
}

function* findingsOf(
  { column, type }: { readonly column: Column; readonly type: Type },
  facts: TableFacts,
  table: string,
  dialect: DialectName,
): Generator<SqlFinding> {
  const { name, store, notNull, isBytewise, isChecked, element } = column;
  const own = facts.columns.get(name);
  const alter = `ALTER TABLE ${table} ALTER COLUMN ${quoted(name)}`;
  const finding = findingOf(name);
  if (own === undefined) return yield finding('the table has no such column');
  const fits = canStore(dialect, column, own.type);
  if (!fits) {
    const help = makerFor(own.type, type, dialect);
    const target = dialect === 'postgres' ? targetOf(column, own.type, type) : null;
    yield finding(
      `it is ${own.declared}, which cannot store ${store}${help === null ? '' : `: map it with ${help}`}`,
      target === null ? null : `${alter} TYPE ${target} USING ${converted(column, own.type)}::${target}`,
    );
  } else if ((element ?? column).labels !== undefined) {
    yield* labelFindings(element ?? column, own, finding);
  } else if ((element ?? column).store === 'numeric') {
    const [precision, scale] = digitsOf(own.type);
    const size = (element ?? column).size ?? { precision: Infinity, scale: Infinity };
    if (precision > size.precision || scale > size.scale)
      yield finding(
        `it is ${own.declared}, which stores more digits than the mapping says`,
        `${alter} TYPE numeric(${size.precision},${size.scale})${element === null ? '' : '[]'}`,
      );
  }
  if (notNull && !own.isNotNull) {
    const sql = dialect === 'sqlite' ? null : `${alter} SET NOT NULL`;
    yield finding('the mapping has notNull, but the column is nullable', sql);
  }
  if (!notNull && own.isNotNull && store !== 'json')
    yield finding('it is NOT NULL: set notNull, so that statements are shorter and can use indexes');
  if (!own.isDeterministic && (element ?? column).store !== 'looseText')
    yield finding(
      'its collation is not deterministic: different strings compare as equal: map it with looseText()',
      `${alter} TYPE text COLLATE "C"`,
    );
  if (isBytewise && !own.isBytewise)
    yield finding(
      "the mapping has collation: 'C', but the column has a different one",
      `${alter} TYPE text COLLATE "C"`,
    );
  if (dialect === 'sqlite' && store === 'float' && !own.isNotNull && type.nullDepth === 0 && fits)
    yield finding('SQLite stores NaN as NULL, which filters read as 0: declare t.nullable(t.float64)');
  const constraint = checkOf(column, type, dialect);
  if (
    isChecked &&
    constraint !== null &&
    !(facts.checks.includes(quoted(name)) || mentions(facts.checks, name))
  )
    yield finding(
      'the mapping has constrained, but no constraint checks the column',
      dialect === 'postgres' ? `ALTER TABLE ${table} ADD CHECK (${constraint})` : null,
    );
}

/** Returns the call that creates a column of a type of the database for a field; null if none does. */
function makerFor(stored: string, type: Type, dialect: DialectName): string | null {
  if (stored.endsWith('[]') && type.kind === 'list') {
    const element = makerFor(stored.slice(0, -2), type.of, dialect);
    return element === null ? null : `array(${element})`;
  }
  const store = storedAs(dialect, stored);
  const column = { store: store ?? 'text', element: null, size: { precision: 0, scale: 0 } };
  if (store === null || !fitsColumn(column, type, dialects[dialect])) return null;
  return `${makerOf(store)}()`;
}

const targets: Readonly<Partial<Record<StoredAs, string>>> = {
  ...{ text: 'text', timeText: 'text', looseText: 'text', int: 'bigint', float: 'double precision' },
  ...{ uuid: 'uuid', json: 'jsonb', timestamptz: 'timestamptz', timestamp: 'timestamp', date: 'date' },
};

/** Returns the type that a column should have, if PostgreSQL can convert it; otherwise null. */
function targetOf({ store, size, labels, element }: Column, stored: string, type: Type): string | null {
  if (store === 'array') {
    const isText = element === null && type.kind === 'list' && storedTypeOf(type.of) === 'text';
    const of = isText ? 'text' : element === null ? null : targetOf(element, stored.replace('[]', ''), type);
    return of === null || !stored.endsWith('[]') ? null : `${of}[]`;
  }
  const digits = size === null ? '' : `(${size?.precision ?? 0},${size?.scale ?? 0})`;
  const target =
    labels !== undefined
      ? labels.type.map(quoted).join('.')
      : store === 'numeric'
        ? `numeric${digits}`
        : (targets[store] ?? null);
  const isText = /^(text|citext|character|bpchar)/.test(stored);
  if (target === null || target === 'text' || isText) return target;
  return similar[store]?.test(stored) === true ? target : null;
}

/** Types that PostgreSQL can convert to that of a column, in addition to strings. */
const similar: Readonly<Partial<Record<StoredAs, RegExp>>> = {
  ...{ int: /^(numeric|real|double)/, float: /int|^(numeric|real)/, numeric: /int|^(real|double)/ },
  ...{ timestamptz: /^(timestamp|date)/, timestamp: /^(timestamp|date)/, date: /^timestamp/, json: /^json/ },
};

/** Returns the value of a column for a conversion, which must not depend on the time zone of the session. */
function converted({ name, store }: Column, stored: string): string {
  const own = quoted(name);
  if (stored.endsWith('with time zone') && store !== 'timestamptz') return `(${own} AT TIME ZONE 'UTC')`;
  const isLocal = store === 'timestamptz' && /^date|without time zone$/.test(stored);
  return isLocal ? `(${own}::timestamp AT TIME ZONE 'UTC')` : own;
}

function* labelFindings(
  { labels = { type: [], values: [] } }: Column,
  own: ColumnFacts,
  finding: (message: string, sql?: string | null) => SqlFinding,
): Generator<SqlFinding> {
  const actual = own.labels ?? { type: ['', ''], values: [] };
  if (
    labels.type.at(-1) !== actual.type[1] ||
    (labels.type.length > 1 && labels.type.at(-2) !== actual.type[0])
  )
    return yield finding(`its type is ${own.declared}, not that of the mapping`);
  const missing = actual.values.filter((each) => !labels.values.includes(each));
  if (missing.length > 0)
    yield finding(`its type has labels that the mapping lacks: ${missing.map(quotedText).join(', ')}`);
  for (const label of labels.values)
    if (!actual.values.includes(label))
      yield finding(
        `its type lacks the label ${quotedText(label)}`,
        `ALTER TYPE ${actual.type.map(quoted).join('.')} ADD VALUE ${quotedText(label)}`,
      );
}

export function mentions(checks: string, name: string): boolean {
  return checks.split(/[^\p{L}\p{N}_$]+/u).includes(name);
}

/** Returns the constraint that `constrained` claims for a column. */
function checkOf({ store, name }: Column, type: Type, dialect: DialectName): string | null {
  const column = quoted(name);
  switch (store) {
    case 'timestamptz':
    case 'timestamp':
    case 'date':
      return sqlTextOf(partsOf(isWithin(raw(column), store)), '?');
    case 'numeric':
      return type.kind === 'float64' ? `${column} <> 'NaN'` : `${column} BETWEEN ${integers64}`;
    case 'text':
      return dialect === 'sqlite' ? `instr(${column}, char(0)) = 0` : null;
    default:
      return store === 'json' && dialect === 'sqlite' ? `json_valid(${column})` : null;
  }
}
