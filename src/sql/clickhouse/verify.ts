import { checkNames, describe } from '../../language/diagnostics/options.js';
import type { RowOf } from '../../language/schema/row.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Type } from '../../language/schema/type.js';
import type { TableFacts } from '../catalogue.js';
import { storedTypeOf } from '../column-access.js';
import type { RunSql } from '../run-statement.js';
import { tableOf, type SqlMapping } from '../sql-mapping.js';
import { partsOf, sqlTextOf } from '../sql.js';
import type { Column, StoredAs } from '../stored-column.js';
import {
  findingOf,
  mentions,
  verifyTable,
  type Catalogue,
  type SqlFinding,
  type VerifyOptions,
} from '../verify.js';
import { fieldsOf } from './access.js';
import { namedPlaceholder } from './dialect.js';

export interface ClickhouseVerifyOptions<T> extends VerifyOptions<T> {
  /**
   * Whether to read the columns of the table: for rows with the same key, which ClickHouse does not prevent, and for strings
   * that are not UTF-8. Default: false.
   */
  readonly scan?: boolean | undefined;
}

/** The types that can store each kind of column, without Nullable and LowCardinality, and the type that it should have. */
const types: Readonly<Partial<Record<StoredAs, readonly [stored: RegExp, target: string]>>> = {
  text: [/^String$/, 'String'],
  timeText: [/^String$/, 'String'],
  json: [/^String$/, 'String'],
  int: [/^U?Int(8|16|32|64)$/, 'Int64'],
  float: [/^Float64$/, 'Float64'],
  real: [/^Float32$/, 'Float32'],
  bool: [/^Bool$/, 'Bool'],
};

/** Types that ALTER TABLE converts to that of a kind of column. */
const similar: Readonly<Partial<Record<StoredAs, RegExp>>> = {
  ...{ text: /^FixedString/, timeText: /^FixedString/, float: /^(Float32|Decimal|U?Int)/ },
  ...{ int: /^(Decimal|Float)/, bool: /^U?Int8$/, datetime64: /^Date/ },
};

const advice: Readonly<Record<string, string>> = {
  FixedString: 'it pads strings with U+0000',
  Enum: 'it sorts by position; map the column that the statement adds',
  UUID: 'it does not sort like its strings; map the column that the statement adds',
  JSON: 'it rewrites keys with dots and drops null; insert JSON into a String',
  Object: 'it rewrites keys with dots and drops null; insert JSON into a String',
  Float: 'it has 32 bits',
  DateTime: 'convert it to the precision of the mapping',
  Date: 'convert it to the precision of the mapping',
};

/**
 * Compares a mapping with the catalogue of ClickHouse: types, constraints, the sorting key, the engine and the settings of the
 * session. As `verifyMapping` of `tamis/sql`. A key is never unique by declaration: pass `scan` to check it, or it is reported.
 *
 * @throws TypeError if a key has no column, or if the mapping is of another dialect.
 */
export async function verifyMapping<S extends Schema>(
  table: SqlMapping<S>,
  run: RunSql,
  options: ClickhouseVerifyOptions<RowOf<S>> = {},
): Promise<readonly SqlFinding[]> {
  const caller = 'verifyMapping';
  const { dialect, from } = tableOf(caller, table).mapping;
  if (dialect.name !== 'clickhouse')
    throw new TypeError(`${caller}: use ${caller} of tamis/sql for a mapping of that dialect`);
  checkNames<ClickhouseVerifyOptions<RowOf<S>>>(caller, 'option', options, ['key', 'scan']);
  const { scan = false, ...others } = options;
  if (typeof (scan as unknown) !== 'boolean')
    throw new TypeError(`${caller}: scan must be a boolean, got ${describe(scan)}`);
  const scanned: Scanned = { key: null, texts: [] };
  const isFinal = dialect.afterTable !== undefined;
  const catalogue = catalogueOf(dialect.quoted, { isFinal, scan, scanned });
  const found = [...(await verifyTable(table, run, others, catalogue))];
  if (!scan || found.some(({ message }) => message === missing)) return found;
  const own = dialect.quoted(tableOf(caller, table).mapping.table.at(-1) ?? '');
  const counts = [
    ...(scanned.key === null ? [] : [[scanned.key, `count() - uniqExact(${dialect.quoted(scanned.key)})`]]),
    ...scanned.texts.map((name) => [name, `countIf(NOT isValidUTF8(${dialect.quoted(name)}))`]),
  ] as [column: string, count: string][];
  if (counts.length === 0) return found;
  const selected = counts.map(([, count], at) => `toString(${count}) AS c${at}`).join(', ');
  const [row = {}] = (await run(
    `SELECT ${selected} FROM ${sqlTextOf(partsOf(from), '?')}`,
    [],
    null,
  )) as readonly Record<string, unknown>[];
  for (const [at, [column]] of counts.entries()) {
    const count = Number(row[`c${at}`] ?? 0);
    if (count > 0)
      found.push(
        findingOf(column)(
          column === scanned.key && at === 0
            ? `the key is not unique: ${count} rows of ${own} have that of another row, and pages could omit them`
            : `${count} strings are not UTF-8: rows have U+FFFD there`,
        ),
      );
  }
  return found;
}

const missing = 'the table has no such column';

/** The columns to scan, collected while the mapping is compared. */
interface Scanned {
  key: string | null;
  readonly texts: string[];
}

interface Context {
  readonly isFinal: boolean;
  readonly scan: boolean;
  readonly scanned: Scanned;
}

function catalogueOf(quoted: (name: string) => string, context: Context): Catalogue {
  let sortingKey = '';
  return {
    async factsOf(table, runQuery) {
      const own = `database = coalesce(nullIf(${namedPlaceholder(1, '')}, ''), currentDatabase()) AND table = ${namedPlaceholder(2, '')}`;
      const values = [table.at(-2) ?? '', table.at(-1) ?? ''];
      const columns = await runQuery(
        `SELECT name, type FROM system.columns WHERE ${own} ORDER BY position`,
        values,
      );
      const [definition] = await runQuery(
        `SELECT engine, sorting_key, create_table_query AS text FROM system.tables WHERE ${own.replace('table =', 'name =')}`,
        values,
      );
      const settings = await runQuery(
        "SELECT name, value FROM system.settings WHERE name IN ('transform_null_in', 'enable_positional_arguments', 'final')",
        [],
      );
      const setting = new Map(settings.map(({ name, value }) => [name, String(value)]));
      sortingKey = String(definition?.sorting_key ?? '');
      const engine = String(definition?.engine);
      const isVersioned = /(Replacing|Collapsing|Summing|Aggregating|Coalescing)/.test(engine);
      const faults = [
        ...(setting.get('transform_null_in') === '1'
          ? ['transform_null_in is set, by which NOT IN is true for NULL: SET transform_null_in = 0']
          : []),
        ...(setting.get('enable_positional_arguments') === '0'
          ? ['enable_positional_arguments is 0, so that facets fail: SET enable_positional_arguments = 1']
          : []),
        ...(isVersioned && !context.isFinal && setting.get('final') !== '1'
          ? [
              `its engine ${engine} keeps several versions of a row until it merges them: set final in the mapping`,
            ]
          : []),
      ];
      return {
        columns: new Map(
          columns.map(({ name, type }) => [
            String(name),
            {
              type: String(type)
                .replace(/^LowCardinality\((.*)\)$/, '$1')
                .replace(/^Nullable\((.*)\)$/, '$1'),
              declared: String(type),
              isNotNull: !/^(LowCardinality\()?Nullable\(/.test(String(type)),
              ...{ isBytewise: true, isDeterministic: true, labels: null },
            },
          ]),
        ),
        // No column is unique; `findingsOf` reports the key.
        unique: new Set(columns.map(({ name }) => String(name))),
        // ASSUME is not checked when rows are inserted.
        checks: [...String(definition?.text).matchAll(/CONSTRAINT .*?(?=CONSTRAINT|\) ENGINE|$)/gs)]
          .map(String)
          .filter((each) => !/^CONSTRAINT \S+ ASSUME/.test(each))
          .join('\n'),
        isStrict: true,
        database: faults.length === 0 ? null : faults.join('; '),
      };
    },
    findingsOf({ column, type }, facts, table, isKey) {
      const found = [...findingsOf(column, type, facts, quoted, table)];
      const { name, store } = column;
      if (facts.columns.get(name)?.type === 'String' && store !== 'json') context.scanned.texts.push(name);
      if (isKey && facts.columns.has(name)) {
        context.scanned.key = name;
        const first = sortingKey.replace(/^\(/, '').split(/[,)]/)[0]?.replaceAll('`', '').trim();
        const finding = (message: string): unknown => found.push({ column: name, message, sql: null });
        if (first !== name)
          finding(
            `the sorting key is (${sortingKey}), so that each page by ${name} reads the whole table: create the table with ORDER BY ${quoted(name)}, or add a projection with it`,
          );
        if (!context.scan)
          finding('the key is assumed to be unique, which ClickHouse does not check: pass scan: true');
      }
      return found;
    },
    uniqueIndex: () => '',
  };
}

function* findingsOf(
  { name, store, notNull, isChecked, digits }: Column,
  type: Type,
  facts: TableFacts,
  quoted: (name: string) => string,
  table: string,
): Generator<SqlFinding> {
  const own = facts.columns.get(name);
  const finding = findingOf(name);
  if (own === undefined) return yield finding(missing);
  const alter = `ALTER TABLE ${table}`;
  const modify = (to: string): string =>
    `${alter} MODIFY COLUMN ${quoted(name)} ${notNull || own.isNotNull ? to : `Nullable(${to})`}`;
  if (store === 'array' || store === 'map' || store === 'struct') {
    const fault = partFault(type, own.type, '');
    if (fault !== null) yield finding(`it is ${own.declared}: ${fault}`);
    return;
  }
  const [stored, target] =
    store === 'datetime64'
      ? [new RegExp(`^DateTime64\\(${digits}[,)]`), `DateTime64(${digits}, 'UTC')`]
      : (types[store] ?? [/^$/, '']);
  if (!stored.test(own.type)) {
    const [kind = ''] = /^[A-Za-z]+/.exec(own.type) ?? [];
    const help = advice[kind] ?? 'map a materialized column that has the value in that type';
    const isNamed = store === 'text' && /^(Enum|UUID|IPv[46])/.test(own.type);
    return yield finding(
      `it is ${own.declared}, which cannot store ${store}: ${help}`,
      similar[store]?.test(own.type) === true
        ? modify(target)
        : isNamed
          ? `${alter} ADD COLUMN ${quoted(`${name}_text`)} String MATERIALIZED toString(${quoted(name)})`
          : null,
    );
  }
  if (notNull && !own.isNotNull)
    yield finding(
      'the mapping has notNull, but the column is Nullable: MODIFY COLUMN with a DEFAULT that replaces NULL',
    );
  if (!notNull && own.isNotNull && store !== 'json')
    yield finding('it is not Nullable: set notNull, so that statements are shorter and can use indexes');
  const checks = facts.checks.split('\n');
  if (
    isChecked &&
    store === 'json' &&
    !checks.some((each) => each.includes('JSONType') && mentions(each, name))
  )
    yield finding(
      'the mapping has constrained, but no constraint checks the column',
      `${alter} ADD CONSTRAINT ${quoted(`${name}_json`)} CHECK JSONType(${quoted(name)}) != 'Null' OR ${quoted(name)} IN ('null')`,
    );
}

/** Returns the arguments of a type, as in `Map(String, Array(Int64))`. */
function argumentsOf(declared: string): readonly string[] {
  const found: string[] = [''];
  let depth = 0;
  for (const character of declared.slice(declared.indexOf('(') + 1, -1)) {
    if (character === ',' && depth === 0) {
      found.push('');
      continue;
    }
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    found[found.length - 1] += character;
  }
  return found.map((each) => each.trim());
}

const single: Readonly<Record<string, RegExp>> = {
  text: /^String$/,
  integer: /^U?Int(8|16|32|64)$/,
  float: /^Float64$/,
  bool: /^Bool$/,
};

/** Returns why a type of the database cannot store a type; null if it can. */
function partFault(type: Type, declared: string, path: string): string | null {
  const stored = storedTypeOf(type);
  const [kind = ''] = /^[A-Za-z]+/.exec(declared) ?? [];
  const where = path === '' ? '' : `${path}: `;
  const expected = { list: 'Array', map: 'Map', struct: 'Tuple' }[String(stored)];
  if (expected === undefined) {
    const inner = declared.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1');
    return single[String(stored)]?.test(inner) === true
      ? null
      : `${where}${declared} cannot store ${type.kind}`;
  }
  if (kind !== expected) return `${where}${declared} is not the ${expected} that ${type.kind} needs`;
  const parts = argumentsOf(declared);
  if (stored === 'struct') {
    // Without names, as in Tuple(String, Int64), a part is only a type.
    const named = new Map(
      parts.flatMap((part) => {
        const [, name, of] = /^(`(?:[^`\\]|\\.)*`|\w+) (.*)$/s.exec(part) ?? [];
        return name === undefined || of === undefined ? [] : [[unquoted(name), of] as const];
      }),
    );
    for (const [name, field] of fieldsOf(type)) {
      const own = named.get(name);
      if (own === undefined) return `${where}the tuple has no element ${name}`;
      const fault = partFault(field.type, own, path === '' ? name : `${path}.${name}`);
      if (fault !== null) return fault;
    }
    return null;
  }
  if (stored === 'map' && !/^(LowCardinality\()?String\)?$/.test(parts[0] ?? ''))
    return `${where}the keys of ${declared} are not strings`;
  return 'of' in type ? partFault(type.of, parts.at(-1) ?? '', `${path}[]`) : null;
}

/** Returns a name of the catalogue without backticks and escapes. */
function unquoted(name: string): string {
  if (!name.startsWith('`')) return name;
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' };
  return name.slice(1, -1).replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character);
}
