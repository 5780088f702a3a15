import { describe, expect, it } from 'vitest';
import * as editor from '../src/entries/editor.js';
import {
  check,
  compileFilter,
  createPager,
  createRowNormalizer,
  defineSchema,
  fieldIndex,
  isRowOf,
  list,
  parse,
  planFilter,
  print,
  t,
} from '../src/index.js';
import { columns } from '../src/entries/columns.js';
import { arraySource, createList, type List } from '../src/entries/query.js';
import { listClient } from '../src/entries/client.js';
import { listEndpoint } from '../src/entries/http.js';
import { createStore, createTable, defineTable } from '../src/entries/table.js';
import { sqlListSource, sqlMapping, text as sqlText } from '../src/entries/sql.js';
import { allOf, anyOf, createWhere } from '../src/entries/builder.js';
import { createExplainer, diagnose, explain } from '../src/entries/explain.js';
import { applySuggestion, correct, lint } from '../src/entries/lint.js';

const schema = defineSchema({ Status: t.string, SecretID: t.hidden(t.string) });
const text = 'Status == running';

/** Every function with options (`exports.test.ts` has their names), called with whatever a program in JavaScript may pass for them. */
const withOptions: Readonly<Record<string, (options: never) => unknown>> = {
  parse: (options) => parse(text, options),
  check: (options) => check(text, options),
  'check of a parsed filter': (options) => check(parse(text), options),
  compileFilter: (options) => compileFilter(text, options),
  planFilter: (options) => planFilter(text, options),
  lint: (options) => lint(text, options),
  correct: (options) => correct(text, options),
  explain: (options) => explain(text, {}, options),
  createExplainer: (options) => createExplainer(text, options),
  diagnose: (options) => diagnose(text, [], options),
  complete: (options) => editor.complete(text, 3, options),
  hover: (options) => editor.hover(text, 3, options),
  diagnostics: (options) => editor.diagnostics(text, options),
  format: (options) => editor.format(text, options),
};
const takesNoSchema = new Set(['parse', 'format']);
const takesNoLimits = new Set(['complete', 'hover']);

/** What a call is refused with. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
  throw new Error('nothing was refused');
}

describe.each(Object.entries(withOptions))('%s', (name, call) => {
  it.skipIf(takesNoSchema.has(name))('knows what a schema is', () => {
    const indexes = name === 'planFilter' ? { indexes: [], schema } : {};
    for (const wrong of [null, 5, {}, 'Status', [], { root: 1 }]) {
      expect(refusal(() => call({ ...indexes, schema: wrong } as never))).toContain(
        'schema must be created with',
      );
    }
  });

  it.skipIf(takesNoLimits.has(name))('knows the limits', () => {
    const indexes = name === 'planFilter' ? { indexes: [], schema } : {};
    const limited = (limits: unknown): string => refusal(() => call({ ...indexes, limits } as never));
    expect(limited({ maxTerm: 1 })).toContain('unknown limit "maxTerm". Did you mean maxTerms?');
    for (const wrong of [0, -1, NaN, '5', null, 5n, true]) {
      expect(limited({ maxTerms: wrong })).toContain('limits.maxTerms must be a positive number or Infinity');
    }
    for (const wrong of [null, 5, [], 'x']) expect(limited(wrong)).toContain('limits must be an object');
    expect(() =>
      call({ ...indexes, limits: { maxTerms: Infinity, maxDepth: undefined } } as never),
    ).not.toThrow();
  });
});

describe.each(['parse', 'check', 'compileFilter', 'lint', 'correct', 'explain', 'diagnose'])('%s', (name) => {
  it.each([undefined, null, 5, {}, [], () => 1])('takes no %j for a filter', (filter) => {
    const calls: Readonly<Record<string, () => unknown>> = {
      parse: () => parse(filter as never),
      check: () => check(filter as never),
      compileFilter: () => compileFilter(filter as never),
      lint: () => lint(filter as never),
      correct: () => correct(filter as never),
      explain: () => explain(filter as never, {}),
      diagnose: () => diagnose(filter as never, []),
    };
    expect(refusal(calls[name] as () => unknown)).not.toContain('undefined (reading');
  });
});

it.each([undefined, null, {}, { schema }, 'x'])('functions about a schema take no %j', (wrong) => {
  for (const call of [
    () => createWhere(wrong as never),
    () => createRowNormalizer(wrong as never),
    () => isRowOf(wrong as never),
    () => fieldIndex(wrong as never, 'Status'),
  ]) {
    expect(refusal(call)).toContain('schema must be created with');
  }
});

it('rows and queries', () => {
  expect(refusal(() => diagnose(text, 5 as never))).toContain('rows must be iterable');
  expect(refusal(() => list([], { perpage: 5 } as never))).toContain('Did you mean perPage?');
  expect(refusal(() => fieldIndex(schema, 5 as never))).toContain('field must be a string');
  expect(refusal(() => planFilter(text, { schema } as never))).toContain('indexes must be an array');
});

it('a text is checked as a parsed filter is', () => {
  expect(check('Stauts == x', { schema })).toEqual(check(parse('Stauts == x'), { schema }));
  expect(check('Stauts == x', { schema })).toHaveLength(1);
  expect(check('SecretID == x', { schema })).toHaveLength(1);
  expect(lint('Stauts == x', { schema })).toEqual([]);
});

describe('visible', () => {
  const rows = ['running', 'dead'].map((Status) => ({ Status, SecretID: '' }));
  const table = createTable(schema, { key: 'Status', columns: columns() });
  table.putAll(rows);
  const lists = {
    'a table': createList<object>(table),
    'an array': createList<object>(arraySource(schema, () => rows, { key: 'Status' }) as never),
  };
  const calls: Readonly<Record<string, (list: List<object>, visible: never) => Promise<unknown>>> = {
    page: (list, visible) => list.page({ visible }),
    'page of a filter': (list, visible) => list.page({ filter: 'Status != x', visible }),
    count: (list, visible) => list.count({ visible }),
    facets: (list, visible) => list.facets({ visible }, ['Status']),
    explain: (list, visible) => list.explain({ filter: 'Status != x', visible }),
    watch: (list, visible) => list.watch({ visible })[Symbol.asyncIterator]().next(),
  };
  const cases = Object.entries(lists).flatMap(([of, list]) =>
    Object.entries(calls)
      .filter(([name]) => of === 'a table' || name !== 'watch')
      .map(([name, call]) => ({ of, list, name, call })),
  );

  it.each(cases)('rejects a predicate that returns a promise in $name of $of', async ({ list, call }) => {
    const predicates = [
      async () => Promise.resolve(false),
      () => Promise.reject(new Error('no')),
      () => ({ then: () => 1 }),
    ];
    for (const canSee of predicates) {
      for (const visible of [canSee, { key: 'ann', canSee }]) {
        const error = await call(list, visible as never).catch((reason: unknown) => reason);
        expect(error).toEqual(new TypeError('visible must return a boolean, got a promise'));
      }
    }
  });

  it.each([1, 'yes', undefined, null, Symbol('true')])(
    'hides rows for which it returns %s',
    async (result) => {
      for (const list of Object.values(lists)) {
        for (const visible of [() => result, { key: `key ${String(result)}`, canSee: () => result }]) {
          expect((await list.page({ visible: visible as never })).items).toEqual([]);
          expect(await list.count({ visible: visible as never })).toBe(0);
        }
      }
    },
  );
});

describe('listClient', () => {
  const url = 'http://a.example/';
  it.each<[string, () => unknown]>([
    ['url must be an absolute URL', () => listClient('ftp://x')],
    ['url must be an absolute URL', () => listClient(new URL('ftp://x'))],
    ['options must be an object', () => listClient(url, null as never)],
    ['options must be an object', () => listClient(url, 'x' as never)],
    ['fetch must be a function, got "x"', () => listClient(url, { fetch: 'x' as never })],
    ['backoff must be a function, got 5', () => listClient(url, { backoff: 5 as never })],
    ['headers must be an object, Headers or a function', () => listClient(url, { headers: 'x' as never })],
    [
      'unknown name "perPage". Did you mean per_page?',
      () => listClient(url, { names: { perPage: 'x' } as never }),
    ],
    ['names.per_page must be a string, got 5', () => listClient(url, { names: { per_page: 5 as never } })],
  ])('throws "%s"', (message, call) => {
    expect(refusal(call)).toContain(message);
  });

  const client = listClient(url, { fetch: async () => Promise.resolve('x' as never) });
  it.each<[string, (query: never) => Promise<unknown>]>([
    ['page', (query) => client.page(query)],
    ['pages', (query) => client.pages(query)[Symbol.asyncIterator]().next()],
    ['count', (query) => client.count(query)],
    ['facets', (query) => client.facets(query, ['Status'])],
    ['explain', (query) => client.explain(query)],
    ['watch', async (query) => client.watch(query)[Symbol.asyncIterator]().next()],
  ])('%s rejects invalid queries', async (name, call) => {
    for (const [query, message] of [
      ['x', 'options must be an object'],
      [null, 'options must be an object'],
      [{ filtr: 'x' }, 'unknown option "filtr". Did you mean filter?'],
      [{ filter: compileFilter(text) }, 'filter must be a string, got an object'],
      [{ perPage: '5' }, 'perPage must be a number, got "5"'],
    ]) {
      await expect(call(query as never)).rejects.toThrow(TypeError);
      await expect(call(query as never)).rejects.toThrow(`client.${name}: ${message as string}`);
    }
    await expect(call({ nextToken: null } as never)).rejects.toThrow(
      'the result of fetch must be a Response',
    );
  });

  it('rejects fields that are not an array and signals that are not an AbortSignal', async () => {
    await expect(client.facets({}, undefined as never)).rejects.toThrow('fields must be an array');
    await expect(client.page({}, 5 as never)).rejects.toThrow('signal must be an AbortSignal, got 5');
  });

  it('sends headers of each form', async () => {
    const forms = [{ 'X-A': '1' }, new Headers({ 'X-A': '1' }), [['X-A', '1']] as [string, string][]];
    for (const headers of forms.flatMap((each) => [each, () => each])) {
      let sent: unknown;
      const fetch = async (_: string, init: RequestInit): Promise<Response> => {
        sent = new Headers(init.headers).get('X-A');
        return Promise.resolve(new Response('[]'));
      };
      await listClient(url, { fetch, headers }).page();
      expect(sent).toBe('1');
    }
  });
});

describe('the handlers of an endpoint', () => {
  const { node, fetch, fastify } = listEndpoint(createTable(schema, { key: 'Status' }));
  const request = { headers: {} };
  it.each<[string, () => unknown]>([
    [
      'endpoint.node: request must be a request of node:http, got undefined',
      () => node(undefined as never, {} as never),
    ],
    [
      'endpoint.node: request must be a request of node:http, got an object',
      () => node({} as never, {} as never),
    ],
    [
      'endpoint.node: response must be a response of node:http, got undefined',
      () => node(request, undefined as never),
    ],
    [
      'endpoint.node: response must be a response of node:http, got an object',
      () => node(request, {} as never),
    ],
    ['endpoint.fetch: request must be a Request, got undefined', () => fetch(undefined as never)],
    ['endpoint.fetch: request must be a Request, got an object', () => fetch({} as never)],
    ['endpoint.fastify: request must be', () => fastify(undefined as never, undefined as never)],
    ['endpoint.fastify: response must be', () => fastify({ raw: request }, {} as never)],
  ])('throw "%s"', async (message, call) => {
    const error: unknown = await Promise.resolve()
      .then(call)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(message);
  });
});

const typed = (value: unknown): never => value as never;
const rejected = Promise.resolve([]);

it.each<[string, () => unknown]>([
  ...[undefined, null, [], new Map(), rejected].flatMap((fields): [string, () => unknown][] => [
    [
      'defineSchema: fields must be an object such as { ID: t.string }, got',
      () => defineSchema(typed(fields)),
    ],
    ['t.struct: fields must be an object such as { ID: t.string }, got', () => t.struct(typed(fields))],
  ]),
  ['got a promise; await it first', () => compileFilter(typed(rejected))],
  ['Did you mean Status?', () => fieldIndex(schema, 'Stats')],
  ['t.list takes a type: t.list(t.string)', () => defineSchema({ Tags: typed(t.list) })],
  ['t.map takes a type: t.map(t.string)', () => t.list(typed(t.map))],
  [
    'filter.select: rows must be iterable, got a promise; await it first',
    () => compileFilter(text).select(typed(rejected)),
  ],
  ['filter.count: rows must be iterable, got a promise', () => compileFilter(text).count(typed(rejected))],
  ['filter.page: rows must be iterable, got undefined', () => compileFilter(text).page(typed(undefined), 5)],
  ['scan: rows must be an array, got undefined', () => compileFilter(text).scan(typed(undefined), [])],
  [
    'table.batch: action must be a function',
    () => createTable(schema, { key: 'Status' }).batch(typed(undefined)),
  ],
  [
    'changes.subscribe: listener must be',
    () => createTable(schema, { key: 'Status' }).changes.subscribe(typed(1)),
  ],
  [
    'store.write: action must be a function',
    () => createStore({ jobs: defineTable(schema, { key: 'Status' }) }).write(typed(null)),
  ],
  [
    'row must be an object, got null',
    () => list([null], { order: { text: (row: { ID: string } | null) => row?.ID ?? '' }, perPage: 1 }),
  ],
  [
    'scan: rows must be an array, got undefined',
    () => createPager({ order: { text: String } }).addAll(typed(undefined)),
  ],
  ['lint: rows must be an array, got 5', () => lint(text, { rows: typed(5) })],
  ['correct: rows must be iterable, got 5', () => correct(text, { rows: typed(5) })],
  [
    'applySuggestion: source must be a string, got undefined',
    () => applySuggestion(typed(undefined), typed({})),
  ],
  ['applySuggestion: suggestion must be', () => applySuggestion(text, typed(undefined))],
  [
    'complete: values must be a function, got an array',
    () => editor.complete(text, 0, { values: typed([]) }),
  ],
  ...[undefined, null, text, {}, parse(text)].map((node): [string, () => unknown] => [
    'print: node must be a tree such as parse(text).ast, got ',
    () => print(typed(node)),
  ]),
  ['anyOf: conditions must be iterable, got undefined', () => anyOf(typed(undefined))],
  ['allOf: conditions must be iterable, got an object', () => allOf(typed(parse(text)))],
  [
    'decode: row must be an object, got null',
    () =>
      sqlMapping(schema, {
        table: 'jobs',
        dialect: 'sqlite',
        columns: { Status: sqlText('status', { notNull: true }), SecretID: sqlText('secret') },
      }).decode(typed(null)),
  ],
])('throws "%s"', (message, call) => {
  expect(refusal(call)).toContain(message);
});

it.each<[string, () => Promise<unknown>]>([
  ['filter must be a string or a parsed filter, got null', () => jobs().page({ filter: typed(null) })],
  [
    'list.facets: fields must be an array of names, got undefined in it',
    () => jobs().facets({}, typed([undefined])),
  ],
  ['row 1 must be an object, got null', () => jobs([{ Status: 'x', SecretID: '' }, null]).page({})],
  ['row 0 must be an object, got undefined', () => jobs([undefined]).page({ prefix: 'x', perPage: 1 })],
  ['run must return an array of rows, got undefined', () => ofSql(undefined).page({})],
  ['run must return an array of rows, got an object; return result.rows', () => ofSql({ rows: [] }).page({})],
])('rejects with "%s"', async (message, call) => {
  const error = await call().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain(message);
});

function jobs(rows: unknown[] = []) {
  return createList(arraySource(schema, () => typed(rows), { key: 'Status' }));
}

function ofSql(result: unknown) {
  const mapping = sqlMapping(schema, {
    table: 'jobs',
    dialect: 'sqlite',
    columns: { Status: sqlText('status', { notNull: true }), SecretID: sqlText('secret') },
  });
  return createList(sqlListSource(mapping, async () => Promise.resolve(typed(result)), { key: 'Status' }));
}

it.each<[string, () => unknown]>([
  [
    'fieldParameters must be an object, got an array',
    () => listEndpoint(typed(jobs()), { fieldParameters: typed(['Status']) }),
  ],
  [
    'parameters must be an object, got an array',
    () => listEndpoint(typed(jobs()), { parameters: typed(['x']) }),
  ],
  [
    'order must be an object such as { text: (row) => row.ID }, got "Status"',
    () => createTable(schema, { key: 'Status', order: typed('Status') }),
  ],
  ['createList: schema must be created with', () => createList(() => [], typed({}))],
  ['Did you mean Status?', () => createTable(schema, { key: 'Status', columns: columns(['Stats']) })],
  ['signal must be an AbortSignal, got 5', () => jobs().watch({}, typed(5))],
])('refuses with "%s"', (message, call) => {
  expect(refusal(call)).toContain(message);
});

it('names a signal that is not an AbortSignal, and how to write a sort', async () => {
  await expect(jobs().page({}, typed({}))).rejects.toThrow('signal must be an AbortSignal, got an object');
  const sorted = jobs().page({ sort: typed(['Status']) });
  await expect(sorted).rejects.toThrow(
    "list.page: sort must be a string, got an array; use a string such as 'Name,-Age'",
  );
});
