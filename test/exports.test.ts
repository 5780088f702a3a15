import { expect, it, describe } from 'vitest';
import * as access from '../src/entries/access.js';
import * as builder from '../src/entries/builder.js';
import * as client from '../src/entries/client.js';
import * as columns from '../src/entries/columns.js';
import * as convert from '../src/entries/convert.js';
import * as drizzle from '../src/entries/drizzle.js';
import * as editor from '../src/entries/editor.js';
import * as explain from '../src/entries/explain.js';
import * as filterSet from '../src/entries/filter-set.js';
import * as hints from '../src/entries/hints.js';
import * as http from '../src/entries/http.js';
import * as index from '../src/index.js';
import * as lint from '../src/entries/lint.js';
import * as internal from '../src/entries/internal.js';
import * as jsonSchema from '../src/entries/json-schema.js';
import * as portable from '../src/entries/portable.js';
import * as query from '../src/entries/query.js';
import * as clickhouse from '../src/entries/clickhouse.js';
import * as mysql from '../src/entries/mysql.js';
import * as sql from '../src/entries/sql.js';
import * as table from '../src/entries/table.js';
import * as zod from '../src/entries/zod.js';
import { object, string } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { operatorForms } from '../src/language/operators/operators.js';

/**
 * Every public function, with how it takes options: unknown options are rejected. If you add a function to an entry point, or to
 * the objects that come from it, declare here what happens to its options.
 */
const entryPoints: Readonly<Record<string, object>> = {
  '.': index,
  './access': access,
  './builder': builder,
  './client': client,
  './columns': columns,
  './convert': convert,
  './drizzle': drizzle,
  './editor': editor,
  './explain': explain,
  './filter-set': filterSet,
  './hints': hints,
  './http': http,
  './lint': lint,
  './internal': internal,
  './json-schema': jsonSchema,
  './mysql': mysql,
  './clickhouse': clickhouse,
  './portable': portable,
  './query': query,
  './sql': sql,
  './table': table,
  './zod': zod,
};

const { compileFilter, createPager, defineSchema, fieldIndex, orderedIndex, parse, planFilter, t } = index;
const schema = defineSchema({ Status: t.string, Time: t.time });
const indexes = [fieldIndex(schema, 'Status'), orderedIndex(schema, 'Time')];
const text = 'Status == running';
const timed = 'Time < now';
const row = { Status: 'running', Time: '2026-01-01T00:00:00Z' };
const { ast } = parse(text);
const filter = compileFilter(text, { schema });
const clockFilter = compileFilter(timed, { schema });
const order = { text: (each: typeof row) => each.Status };
const jobsMapping = {
  dialect: 'postgres',
  table: 'jobs',
  columns: { Status: sql.text('status', { notNull: true }), Time: sql.timestamptz('time') },
} as const;
const inSql = sql.sqlMapping(schema, jobsMapping);
const mysqlMapping = { dialect: 'mysql', server: 'mariadb', table: 'jobs', columns: {} } as const;
const inMysql = mysql.sqlMapping(schema, mysqlMapping);
const clickhouseMapping = { dialect: 'clickhouse', table: 'jobs', columns: {} } as const;
const inClickhouse = clickhouse.sqlMapping(schema, clickhouseMapping);
const listed = table.createTable(schema, { key: 'Status' });
const set = filterSet.createFilterSet(schema);
set.add('a', text);

/** Takes options. Called with what a program in JavaScript may pass for them. */
interface Options {
  readonly kind: 'options';
  readonly call: (options: never) => unknown;
  /** What must be among them. */
  readonly needed: object;
}
/** Takes none. What it gives is looked through for functions. */
interface Plain {
  readonly kind: 'plain';
  readonly example: () => unknown;
}
/** Takes an instant, or none. */
interface Instant {
  readonly kind: 'instant';
  readonly call: (instant?: never) => unknown;
}
/** Takes an object whose members it calls. */
interface Members {
  readonly kind: 'members';
  readonly call: (members: never) => unknown;
}
type Taken = Options | Plain | Instant | Members;

const options = (call: Options['call'], needed: object = {}): Options => ({ kind: 'options', call, needed });
const plain = (example: Plain['example'] = () => undefined): Plain => ({ kind: 'plain', example });
const instant = (call: Instant['call']): Instant => ({ kind: 'instant', call });
const members = (call: Members['call']): Members => ({ kind: 'members', call });
/** Errors are made by the engine. */
const error = plain();

const filterMethods = {
  test: plain(),
  select: plain(),
  count: plain(),
  page: plain(),
  scan: options((range) => filter.scan([row], [], range)),
  explain: plain(() => filter.explain(row)),
  at: instant((at) => [filter.at(at), clockFilter.at(at)]),
};
const conditionMethods = { and: plain(), or: plain(), not: plain(), toString: plain() };

const drizzleTable = {
  _: { columns: {} },
  [Symbol.for('drizzle:Name')]: 'jobs',
  [Symbol.for('drizzle:Columns')]: {
    id: { name: 'id', notNull: true, columnType: 'PgText', getSQLType: () => 'text' },
  },
};

/** By entry point and name; a method by the name of what gives the object, too. */
const functions: Readonly<Record<string, Readonly<Record<string, Taken>>>> = {
  '.': {
    parse: options((given) => index.parse(text, given)),
    print: plain(() => index.print(ast)),
    walk: members((visitor) => index.walk(ast, visitor)),
    rewrite: members((rewriter) => index.rewrite(ast, rewriter)),
    defineSchema: plain(() => schema),
    'defineSchema().toJSON': plain(),
    createRowNormalizer: plain(() => index.createRowNormalizer(schema)),
    'createRowNormalizer()': plain(() => index.createRowNormalizer(schema)(row)),
    parseSchema: plain(() => index.parseSchema(JSON.parse(JSON.stringify(schema)))),
    'parseSchema().toJSON': plain(),
    isRowOf: plain(() => index.isRowOf(schema)),
    'isRowOf()': plain(),
    check: options((given) => index.check(text, given)),
    compileFilter: options((given) => compileFilter(text, given)),
    ...methods('compileFilter()', filterMethods),
    planFilter: options((given) => planFilter(text, given), { schema, indexes }),
    'planFilter().at': instant((at) => [
      planFilter(text, { schema, indexes }).at(at),
      planFilter(timed, { schema, indexes }).at(at),
    ]),
    ...methods('planFilter().filter', filterMethods),
    ...methods('planFilter().clauses[]', filterMethods),
    'planFilter().lookups[].index.keysOf': plain(),
    fieldIndex: plain(() => indexes[0]),
    'fieldIndex().keysOf': plain(),
    orderedIndex: plain(() => indexes[1]),
    'orderedIndex().keysOf': plain(),
    'orderedIndex().compare': plain(),
    compareBytewise: plain(),
    // For each row: its order is looked at where a list or a pager takes it.
    keyOf: plain(),
    compareKeys: plain(),
    createPager: options((query) => createPager(query), { order }),
    'createPager().add': plain(),
    'createPager().addAll': plain(),
    'createPager().page': plain(() => createPager({ order }).page()),
    list: options((query) => index.list([row], query), { order }),
    FilterError: error,
    FilterCheckError: error,
    FilterEvaluationError: error,
    FilterLimitError: error,
    FilterSyntaxError: error,
    ListError: error,
    ListQueryError: error,
    't.int': options((given) => t.int(given)),
    't.uint': options((given) => t.uint(given)),
    't.oneOf': plain(),
    't.time': plain(),
    't.duration': plain(),
    't.bytes': plain(),
    't.ip': options((given) => t.ip(given)),
    't.list': plain(),
    't.array': plain(),
    't.map': options((given) => t.map(t.string, given)),
    't.struct': plain(),
    't.nullable': plain(),
    // Its second argument is notes of the program's own.
    't.annotated': plain(),
    't.hidden': plain(),
    't.renamed': plain(),
  },
  './builder': {
    filter: plain(() => builder.filter`Status == running`),
    ...methods('filter()', conditionMethods),
    where: plain(() => builder.where('Status')),
    ...methods(
      'where()',
      Object.fromEntries([
        ...['any', 'all', 'at'].map((name) => [name, plain()]),
        ...operatorForms().flatMap(({ methods }) => methods.map((name) => [name, plain()])),
        ...operatorForms().flatMap(({ methods }) => methods.map((name) => [`length.${name}`, plain()])),
      ]),
    ),
    createWhere: plain(() => builder.createWhere(schema)),
    'createWhere()': plain(),
    allOf: plain(() => builder.allOf([ast])),
    ...methods('allOf()', conditionMethods),
    anyOf: plain(() => builder.anyOf([ast])),
    ...methods('anyOf()', conditionMethods),
    not: plain(() => builder.not(ast)),
    ...methods('not()', conditionMethods),
    field: plain(() => builder.field('Status')),
    ago: plain(() => builder.ago('1h')),
    fromNow: plain(() => builder.fromNow('1h')),
    ignoringCase: plain(() => builder.ignoringCase('a')),
  },
  './drizzle': {
    fromDrizzle: options((given) => drizzle.fromDrizzle(drizzleTable, given)),
    'fromDrizzle().schema.toJSON': plain(),
    'fromDrizzle().mapping.schema.toJSON': plain(),
    'fromDrizzle().mapping.where': options((given) =>
      drizzle.fromDrizzle(drizzleTable).mapping.where('id == a', given),
    ),
    'fromDrizzle().mapping.explain': options((given) =>
      drizzle.fromDrizzle(drizzleTable).mapping.explain('id == a', given),
    ),
    'fromDrizzle().mapping.decode': plain(),
  },
  './json-schema': {
    fromJSONSchema: options((limits) =>
      jsonSchema.fromJSONSchema({ type: 'object', properties: { Status: { type: 'string' } } }, limits),
    ),
    'fromJSONSchema().toJSON': plain(),
  },
  './zod': {
    fromZod: options((limits) => zod.fromZod(object({ Status: string() }), limits)),
    'fromZod().toJSON': plain(),
  },
  './editor': {
    complete: options((given) => editor.complete(text, 3, given)),
    hover: options((given) => editor.hover(text, 3, given)),
    diagnostics: options((given) => editor.diagnostics(text, given)),
    format: options((given) => editor.format(text, given)),
    createFieldCatalog: plain(() => editor.createFieldCatalog([row], schema)),
    'createFieldCatalog().children': plain(() => editor.createFieldCatalog([row]).children([])),
    'createFieldCatalog().keys': plain(),
    'createFieldCatalog().values': plain(),
  },
  './explain': {
    explain: options((given) => explain.explain(text, row, given)),
    'explain().toString': plain(),
    createExplainer: options((given) => explain.createExplainer(text, given)),
    'createExplainer()': plain(),
    diagnose: options((given) => explain.diagnose(text, [row], given)),
    'diagnose().toString': plain(),
  },
  './filter-set': {
    createFilterSet: options((given) => filterSet.createFilterSet(schema, given)),
    'createFilterSet().add': plain(),
    'createFilterSet().remove': plain(),
    'createFilterSet().has': plain(),
    'createFilterSet().match': options((given) => set.match(row, given)),
    'createFilterSet().matchInParts': options((given) => set.matchInParts(row, 5, given)),
    'createFilterSet().matchChange': options((given) => set.matchChange(row, row, given)),
    'createFilterSet().stats': plain(() => set.stats()),
    'createFilterSet().explain': plain(() => set.explain('a')),
    'createFilterSet().explainRow': options((given) => set.explainRow('a', row, given)),
  },
  './access': {
    definePolicy: options((given) => access.definePolicy(given as never), {
      ...{ schema, caller: schema, actions: ['read'], rules: [] },
    }),
    'definePolicy().access': plain(),
    'definePolicy().can': plain(),
    'definePolicy().explain': plain(),
    AccessLimitError: error,
    PolicyError: error,
  },
  './hints': { enableHints: plain() },
  './lint': {
    lint: options((given) => lint.lint(text, given)),
    renderFinding: plain(),
    applySuggestion: plain(),
    correct: options((given) => lint.correct('Status = running', given)),
  },
  './internal': {
    // Its functions take things to work with, and no options.
    ...Object.fromEntries(Object.keys(internal).map((name) => [name, plain()])),
    'eventLoop.now': plain(),
    'eventLoop.defer': plain(),
  },
  './convert': {
    fromAgGrid: options((given) => convert.fromAgGrid({}, given), { schema }),
    fromOData: options((given) => convert.fromOData("Status eq 'x'", given), { schema }),
    ...methods('fromOData().value', conditionMethods),
    fromQueryBuilder: options((given) => convert.fromQueryBuilder({ rules: [] }, given), { schema }),
    toAgGrid: options((given) => convert.toAgGrid(text, given), { schema }),
    toOData: options((given) => convert.toOData(text, given), { schema }),
    toQueryBuilder: options((given) => convert.toQueryBuilder(text, given), { schema }),
  },
  './portable': {
    portable: options((given) => portable.portable(text, given)),
    renderClause: plain(),
  },
  './client': {
    applyChanges: plain(),
    ClientError: error,
    // It weighs two kilobytes, and looks at its options by itself.
    listClient: plain(() => client.listClient('https://list.example')),
    ...methods(
      'listClient()',
      Object.fromEntries(
        Object.keys(client.listClient('https://list.example')).map((name) => [name, plain()]),
      ),
    ),
  },
  './columns': {
    columns: options((given) => columns.columns('auto', given)),
    'columns().attach': plain(),
  },
  './http': {
    ...Object.fromEntries(
      Object.entries(http)
        .filter(([, value]) => typeof value === 'function')
        .map(([name]) => [name, plain()]),
    ),
    'listEndpoint().schema.toJSON': plain(),
    listEndpoint: options((given) => http.listEndpoint(listed, given)),
    ...methods(
      'listEndpoint()',
      Object.fromEntries(
        Object.keys(http.listEndpoint(listed))
          .filter((name) => name !== 'parameters')
          .map((name) => [name, plain()]),
      ),
    ),
  },
  './query': {
    ...Object.fromEntries(Object.keys(query).map((name) => [name, plain()])),
  },
  './mysql': {
    verifyAccess: plain(),
    sqlMapping: options((given) => mysql.sqlMapping(schema, given), mysqlMapping),
    sqlListSource: options((given) => mysql.sqlListSource(inSql, () => [], given), { key: 'Status' }),
    verifyMapping: plain(),
    defaultMapping: plain(),
    mysqlRun: plain(),
    ...methods('sqlMapping()', {
      where: options((given) => inMysql.where(text, given)),
      explain: options((given) => inMysql.explain(text, given)),
      decode: plain(),
    }),
    ...methods('sqlMapping().where()', { text: plain(), knex: plain() }),
    'sqlMapping().schema.toJSON': plain(),
    'sqlListSource().schema.toJSON': plain(),
    ...Object.fromEntries(
      (['text', 'int', 'float', 'bool', 'datetime', 'timeText'] as const).map((maker) => [
        maker,
        options((given) => mysql[maker]('name', given)),
      ]),
    ),
    json: options((given) => mysql.json('name', [], given)),
    SqlRunError: error,
    SqlBudgetError: error,
    SqlFilterError: error,
  },
  './clickhouse': {
    verifyAccess: plain(),
    sqlMapping: options((given) => clickhouse.sqlMapping(schema, given), clickhouseMapping),
    sqlListSource: options((given) => clickhouse.sqlListSource(inSql, () => [], given), { key: 'Status' }),
    ...Object.fromEntries(
      [
        ...['verifyMapping', 'defaultMapping', 'clickhouseRun', 'chdbRun', 'namedPlaceholder', 'namedValues'],
        ...['array', 'map', 'struct'],
      ].map((name) => [name, plain()]),
    ),
    ...methods('sqlMapping()', {
      where: options((given) => inClickhouse.where(text, given)),
      explain: options((given) => inClickhouse.explain(text, given)),
      decode: plain(),
    }),
    ...methods('sqlMapping().where()', { text: plain(), knex: plain() }),
    'sqlMapping().schema.toJSON': plain(),
    'sqlListSource().schema.toJSON': plain(),
    ...Object.fromEntries(
      (['text', 'int', 'float', 'real', 'bool', 'datetime64', 'timeText'] as const).map((maker) => [
        maker,
        options((given) => clickhouse[maker]('name', given)),
      ]),
    ),
    json: options((given) => clickhouse.json('name', [], given)),
    SqlRunError: error,
    SqlBudgetError: error,
    SqlFilterError: error,
  },
  './sql': {
    verifyAccess: plain(),
    sqlMapping: options((given) => sql.sqlMapping(schema, given), jobsMapping),
    ...methods('sqlMapping()', {
      where: options((given) => inSql.where(text, given)),
      explain: options((given) => inSql.explain(text, given)),
      decode: plain(),
    }),
    sqlListSource: options((given) => sql.sqlListSource(inSql, () => [], given), { key: 'Status' }),
    'sqlListSource().schema.toJSON': plain(),
    verifyMapping: plain(),
    defaultMapping: plain(),
    'sqlMapping().schema.toJSON': plain(),
    ...methods('sqlMapping().where()', { text: plain(), knex: plain() }),
    ...Object.fromEntries(
      (
        [
          ...(['text', 'int', 'float', 'real', 'bool', 'timestamptz', 'timeText', 'array', 'map'] as const),
          ...(['struct', 'date', 'looseText', 'numeric', 'uuid'] as const),
        ] as const
      ).map((maker) => [maker, options((given) => sql[maker]('name', given))]),
    ),
    timestamp: options((given) => sql.timestamp('name', given), { zone: 'UTC' }),
    enumeration: options((given) => sql.enumeration('name', given), { type: 'mood', values: ['ok'] }),
    mapTable: plain(),
    poolRun: plain(),
    SqlRunError: error,
    jsonb: options((given) => sql.jsonb('name', [], given)),
    SqlBudgetError: error,
    SqlFilterError: error,
  },
  './table': {
    ...Object.fromEntries(Object.keys(table).map((name) => [name, plain()])),
  },
};

function methods(position: string, of: Readonly<Record<string, Taken>>): Record<string, Taken> {
  return Object.fromEntries(Object.entries(of).map(([name, taken]) => [`${position}.${name}`, taken]));
}

/** The functions among the members of a value, and of what it contains, by their places. */
function* functionsIn(value: unknown, position: string, depth = 0): Generator<string> {
  if (typeof value === 'function') yield position;
  if (
    typeof value !== 'object' ||
    value === null ||
    depth > 3 ||
    value instanceof Map ||
    value instanceof Date ||
    value instanceof RegExp
  )
    return;
  if (Array.isArray(value)) return yield* functionsIn(value[0], `${position}[]`, depth + 1);
  if (Symbol.iterator in value) return;
  for (const name of membersOf(value))
    yield* functionsIn((value as Record<string, unknown>)[name], `${position}.${name}`, depth + 1);
}

function membersOf(value: object): Set<string> {
  const prototype: unknown = Object.getPrototypeOf(value);
  const inherited =
    prototype === Object.prototype || prototype === null ? [] : Object.getOwnPropertyNames(prototype);
  return new Set([...Object.keys(value), ...inherited.filter((name) => name !== 'constructor')]);
}

function exampleOf(taken: Taken): unknown {
  switch (taken.kind) {
    case 'plain':
      return taken.example();
    case 'options':
      return taken.call(taken.needed as never);
    default:
      return taken.call({} as never);
  }
}

it('every entry point of the package is looked at', () => {
  const named = Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'));
  expect(Object.keys(entryPoints).sort()).toEqual(named.sort());
  expect(Object.keys(functions).sort()).toEqual(named.sort());
});

describe.each(Object.entries(entryPoints))('%s', (path, exported) => {
  const table = functions[path] ?? {};

  it('every function is in the table, and those of what it gives', () => {
    const found = new Set<string>();
    for (const [name, value] of Object.entries(exported)) {
      const given = table[name]?.kind === 'plain' || table[name]?.kind === 'options' ? table[name] : null;
      if (typeof value === 'function') found.add(name);
      const from = typeof value !== 'function' ? value : given === null ? undefined : exampleOf(given);
      for (const position of functionsIn(from, typeof value === 'function' ? `${name}()` : name))
        found.add(position);
    }
    expect([...found].filter((name) => table[name] === undefined)).toEqual([]);
  });
});

const all = Object.entries(functions).flatMap(([path, table]) =>
  Object.entries(table).map(([name, taken]) => [`${path} ${name}`, taken] as const),
);

/** What a call is refused with. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (caught) {
    expect(caught).toBeInstanceOf(TypeError);
    return (caught as TypeError).message;
  }
  throw new Error('nothing was refused');
}

const noObjects = [null, 5, 5n, 'text', [], [{}], true, () => 1, Symbol('x')];
const wrongValues = {
  schema: [null, 5, {}, 'Status', { root: 1 }],
  dialect: [null, 'go', 1],
  level: [null, 2, '1', 0.5],
  check: [null, 0, 'no'],
  unresolved: [null, 'nil', true],
  now: [null, '2020', 0, {}, new Date(NaN)],
  specialise: [null, 1, 'yes'],
  limits: [null, 5, [], 'x', new Map()],
};
const emptyHanded = [
  new Date(0),
  new Date(NaN),
  new Map(),
  new Set(),
  /x/,
  new ArrayBuffer(2),
  Promise.resolve(),
];

describe.each(all.filter(([, { kind }]) => kind === 'options' || kind === 'members'))('%s', (_, taken) => {
  const { call, needed = {} } = taken as Options | (Members & { readonly needed?: object });
  const pass = (given: unknown) => (): unknown => call(given as never);

  it('refuses names that it does not know, and suggests those that it does', () => {
    const said = refusal(pass({ ...needed, qqqqq: undefined }));
    expect(said).toMatch(/unknown (?:option|limit) "qqqqq"\. The (?:option|limit)s are \w/);
    const known = said.slice(said.lastIndexOf(' are ') + 5, -1).split(', ');
    for (const name of known) {
      for (const slip of [`${name}${name.slice(-1)}`, name.toUpperCase()])
        if (!known.includes(slip))
          expect(refusal(pass({ ...needed, [slip]: undefined }))).toMatch(
            new RegExp(`unknown \\w+ "${slip}"\\. Did you mean ${name}\\?`),
          );
      // One that is left undefined is one that is left out.
      // An access filter that is undefined by mistake must not grant everything.
      if (!Object.hasOwn(needed, name) && name !== 'access')
        expect(pass({ ...needed, [name]: undefined })).not.toThrow();
    }
  });

  it('refuses values that these options have nowhere', () => {
    const known = refusal(pass({ ...needed, qqqqq: undefined })).split(/ are |, /);
    for (const [name, wrong] of Object.entries(wrongValues)) {
      if (!known.includes(name) || taken.kind === 'members') continue;
      for (const value of wrong)
        expect(refusal(pass({ ...needed, [name]: value }))).toMatch(new RegExp(`\\b${name} (?:must|is)\\b`));
    }
  });

  it('refuses what has no names', () => {
    for (const given of noObjects) expect(refusal(pass(given))).toMatch(/must be an object such as \{ \w+/);
    for (const given of emptyHanded)
      expect(refusal(pass(given))).toMatch(/must be an object such as \{ .*, got (an object of|a promise)/);
  });

  it.skipIf(taken.kind === 'members')('takes no schema for them', () => {
    expect(refusal(pass(schema))).toContain('must be an object such as { schema }, got a schema');
  });
});

describe.each(all.filter(([, { kind }]) => kind === 'instant'))('%s', (_, taken) => {
  const { call } = taken as Instant;

  it('takes nothing but a valid Date', () => {
    for (const given of [
      '2020',
      '2020-01-01T00:00:00Z',
      0,
      null,
      {},
      { now: new Date() },
      [],
      new Date(NaN),
      () => 1,
    ])
      expect(refusal(() => call(given as never))).toContain('now must return a valid Date, got ');
    expect(() => [call(), call(undefined as never), call(new Date(0) as never)]).not.toThrow();
  });
});

it('a filter takes an instant with a clock and without, bound or not', () => {
  for (const each of [
    filter,
    clockFilter,
    filter.at(),
    clockFilter.at(new Date(0)),
    ...planFilter(text, { schema, indexes }).clauses,
  ])
    for (const given of ['2020', new Date(NaN), null, {}])
      expect(refusal(() => each.at(given as never))).toContain('now must return a valid Date');
  expect(filter.at(new Date(5))).toBe(filter);
});

it('an object of a class may have members that are its own', () => {
  class Counter {
    matches = 0;
    match(): void {
      this.matches += 1;
    }
  }
  const counter = new Counter();
  index.walk(ast, counter);
  expect(counter.matches).toBe(1);
});

it('the order of a list is looked at too', () => {
  const misspelt = { ...order, indx: () => 1 } as never;
  expect(refusal(() => index.list([], { order: misspelt }))).toContain(
    'unknown option "indx". Did you mean index?',
  );
  expect(refusal(() => createPager({ order: misspelt }))).toContain(
    'unknown option "indx". Did you mean index?',
  );
});
