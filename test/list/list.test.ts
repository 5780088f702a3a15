import { describe, expect, it } from 'vitest';
import { ListQueryError } from '../../src/lists/list/errors.js';
import { list } from '../../src/lists/list/list.js';
import type { Order } from '../../src/lists/list/order.js';
import type { Page } from '../../src/lists/list/pager.js';
import type { ListQuery } from '../../src/lists/list/query.js';

interface Job {
  readonly ID: string;
  readonly CreateIndex: number | bigint;
  readonly Status: string;
}

const byId: Order<Job> = { text: (job) => job.ID };
const byAge: Order<Job> = { index: (job) => job.CreateIndex, text: (job) => job.ID };

/** `a:10 b:9` makes two jobs; a capital letter is a job that is dead. */
function jobs(text: string): Job[] {
  return text.split(' ').map((word) => {
    const [id = '', index = '0'] = word.split(':');
    const CreateIndex = index.endsWith('n') ? BigInt(index.slice(0, -1)) : Number(index);
    return { ID: id, CreateIndex, Status: id === id.toUpperCase() ? 'dead' : 'running' };
  });
}

function ids(rows: readonly Job[]): string {
  return rows.map((job) => job.ID).join(' ');
}

const running = { test: (job: Job) => job.Status === 'running' };

describe('list', () => {
  const table: [string, string, ListQuery<Job>, string, string | null][] = [
    // rows, query, items, next token
    ['a query without an order keeps everything', 'c a b', { reverse: false }, 'c a b', null],
    ['order sorts', 'c a b', { order: byId }, 'a b c', null],
    ['order is bytewise', 'ab a-b a B', { order: byId }, 'B a a-b ab', null],
    ['reverse without order', 'c a b', { reverse: true }, 'b a c', null],
    ['reverse with order', 'c a b', { order: byId, reverse: true }, 'c b a', null],
    ['filter', 'c A b', { filter: running }, 'c b', null],
    ['filter and order', 'c A b', { filter: running, order: byId }, 'b c', null],
    ['perPage 0 is everything', 'c a b', { order: byId, perPage: 0 }, 'a b c', null],
    ['first page', 'c a b', { order: byId, perPage: 2 }, 'a b', 'c'],
    ['exactly one page', 'c a b', { order: byId, perPage: 3 }, 'a b c', null],
    ['larger page', 'c a b', { order: byId, perPage: 2 ** 53 }, 'a b c', null],
    ['the token is inclusive', 'c a b', { order: byId, perPage: 2, nextToken: 'b' }, 'b c', null],
    ['the token names a middle page', 'd c a b', { order: byId, perPage: 2, nextToken: 'b' }, 'b c', 'd'],
    ['a deleted target', 'd c a', { order: byId, perPage: 2, nextToken: 'b' }, 'c d', null],
    ['past the end', 'a b', { order: byId, perPage: 2, nextToken: 'x' }, '', null],
    ['before the beginning', 'b c', { order: byId, perPage: 1, nextToken: '!' }, 'b', 'c'],
    ['a token without perPage', 'd c a b', { order: byId, nextToken: 'b' }, 'b c d', null],
    ['an empty token is none', 'b a', { order: byId, reverse: true, nextToken: '' }, 'b a', null],
    ['a null token is none', 'b a', { order: byId, perPage: 1, nextToken: null }, 'a', 'b'],
    [
      'undefined is absent',
      'b a',
      { order: byId, filter: undefined, perPage: undefined, sorted: undefined },
      'a b',
      null,
    ],
    ['pages are full', 'a B c D e', { order: byId, filter: running, perPage: 2 }, 'a c', 'e'],
    ['no token for hidden rows', 'a b X Y', { order: byId, filter: running, perPage: 2 }, 'a b', null],
    ['the token skips hidden rows', 'a BB cC C c', { order: byId, filter: running, perPage: 1 }, 'a', 'c'],
    ['reverse page', 'a b c d', { order: byId, reverse: true, perPage: 2 }, 'd c', 'b'],
    ['reverse token', 'a b c d', { order: byId, reverse: true, perPage: 2, nextToken: 'b' }, 'b a', null],
    [
      'reverse, deleted target',
      'a c d',
      { order: byId, reverse: true, perPage: 1, nextToken: 'b' },
      'a',
      null,
    ],
    ['reverse, past the end', 'b c', { order: byId, reverse: true, perPage: 1, nextToken: 'a' }, '', null],
    ['index is numeric', 'a:10 b:9 c:100', { order: byAge, perPage: 2 }, 'b a', '100.c'],
    ['text breaks ties of the index', 'b:7 a:7 c:6', { order: byAge, perPage: 2 }, 'c a', '7.b'],
    ['token of an index', 'a:10 b:9 c:100', { order: byAge, nextToken: '10.a' }, 'a c', null],
    ['token between indexes', 'a:10 b:9 c:100', { order: byAge, nextToken: '50.' }, 'c', null],
    ['token within one index', 'a:7 b:7 c:7', { order: byAge, nextToken: '7.b' }, 'b c', null],
    ['the text of a token may hold dots', 'a.b.c:7 b:7', { order: byAge, nextToken: '7.a.c' }, 'b', null],
    ['a negative index', 'a:-5 b:3', { order: byAge, perPage: 1, nextToken: '-5.a' }, 'a', '3.b'],
    ['leading zeros', 'a:10 b:9', { order: byAge, nextToken: '00010.a' }, 'a', null],
    ['numbers and bigints mix', 'a:10n b:9 c:100 d:11n', { order: byAge, perPage: 3 }, 'b a d', '100.c'],
    ['equal number and bigint', 'b:7n a:7 c:7n', { order: byAge, perPage: 2 }, 'a b', '7.c'],
    [
      'digits of nanoseconds survive',
      'a:1645230445788556001n b:1645230445788556000n',
      { order: byAge, perPage: 1 },
      'b',
      '1645230445788556001.a',
    ],
    [
      'neighbours beyond 2^53 differ',
      'a:1645230445788556001n b:1645230445788556000n',
      { order: byAge, nextToken: '1645230445788556001.a' },
      'a',
      null,
    ],
    [
      'an unsafe number keeps its digits',
      'a:1 b:1152921504606846976',
      { order: byAge, perPage: 1 },
      'a',
      '1152921504606846976.b',
    ],
    ['a garbage token is text', 'a:10 b:9', { order: byAge, nextToken: 'garbage' }, '', null],
    [
      'a garbage token is compared with tokens',
      'a:10 b:9 c:8',
      { order: byAge, nextToken: '9' },
      'b a',
      null,
    ],
    ['a garbage token, reverse', 'a:10 b:9', { order: byAge, reverse: true, nextToken: 'x' }, 'a b', null],
    ['a fraction is garbage', 'a:10 b:9', { order: byAge, nextToken: '+9.b' }, 'b a', null],
    [
      'an index of 400 digits is garbage',
      'a:10 b:9',
      { order: byAge, nextToken: `${'9'.repeat(400)}.a` },
      '',
      null,
    ],
    ['no rows', '', { order: byId, perPage: 3, filter: { test: () => false } }, '', null],
  ];

  it.each(table)('%s: %s', (_, rows, query, expected, token) => {
    const page = list(jobs(rows), query);
    expect(ids(page.items)).toBe(expected);
    expect(page.nextToken).toBe(token);
  });

  it.each(table.filter(([, , query]) => query.order !== undefined))(
    'sorted rows, %s: %s',
    (_, rows, query, expected, token) => {
      const all = list(jobs(rows), { order: query.order, reverse: query.reverse }).items;
      for (const form of [all.values(), all]) {
        const page = list(form, { ...query, sorted: true });
        expect(ids(page.items)).toBe(expected);
        expect(page.nextToken).toBe(token);
      }
    },
  );

  it('sorts many rows, in whatever order they come', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      ID: `job-${(at * 389) % 1_000}`,
      CreateIndex: at,
      Status: '',
    }));
    const expected = many.map((job) => job.ID).sort();
    const seen: string[] = [];
    let nextToken: string | null = null;
    do {
      const page: Page<Job> = list(many, { order: byId, perPage: 130, nextToken });
      seen.push(...page.items.map((job) => job.ID));
      nextToken = page.nextToken;
    } while (nextToken !== null);
    expect(seen).toEqual(expected);
    expect(list([...many].reverse(), { order: byId }).items.map((job) => job.ID)).toEqual(expected);
    const rare = { test: (job: Job) => job.ID === 'job-7' || job.ID === 'job-998' };
    expect(ids(list(many, { order: byId, filter: rare, perPage: 2 }).items)).toBe('job-7 job-998');
  });

  it.each([3, 100])('keeps the order of %i rows with one key', (count) => {
    const twins = Array.from({ length: count }, (_, at) => ({
      ID: at % 2 ? 'a' : 'b',
      CreateIndex: at,
      Status: '',
    }));
    const stable = (rows: Job[]): number[] => rows.map((job) => Number(job.CreateIndex));
    const first = list(twins, { order: byId, perPage: 200 }).items;
    expect(stable(first)).toEqual([...stable(first)].sort((a, b) => (b % 2) - (a % 2) || a - b));
  });

  it('leaves the rows as they are', () => {
    const rows = Object.freeze(jobs('c a b'));
    list(rows, { order: byId, reverse: true });
    list(rows, { reverse: true });
    expect(ids(rows)).toBe('c a b');
  });

  it('returns the rows themselves', () => {
    const rows = jobs('b a');
    expect(list(rows, { order: byId, perPage: 1 }).items[0]).toBe(rows[1]);
  });
});

/** A filter that keeps all rows, notes them, and fails at one. */
function recorder(poison = '') {
  const requests: string[] = [];
  const test = (job: Job): boolean => {
    requests.push(job.ID);
    if (job.ID === poison) throw new RangeError(`evaluated ${poison}`);
    return true;
  };
  return { requests, test };
}

describe('laziness', () => {
  it.each([true, false])('evaluates the filter up to the look-ahead item only (sorted: %s)', (sorted) => {
    const filter = recorder('d');
    const page = list(jobs('a b c d e'), { order: byId, filter, perPage: 2, sorted });
    expect(page.nextToken).toBe('c');
    expect(filter.requests).toEqual(['a', 'b', 'c']);
  });

  it.each([true, false])('does not evaluate rows before the token (sorted: %s)', (sorted) => {
    const filter = recorder('a');
    expect(
      ids(list(jobs('a b c d'), { order: byId, filter, perPage: 1, nextToken: 'b', sorted }).items),
    ).toBe('b');
    expect(filter.requests).toEqual(['b', 'c']);
  });

  it('passes on the error of the look-ahead item', () => {
    const query = { order: byId, filter: recorder('c'), perPage: 2 };
    expect(() => list(jobs('a b c d'), query)).toThrow(new RangeError('evaluated c'));
  });

  function* generate(log: string[]): Generator<Job> {
    try {
      for (const job of jobs('a b c d e')) {
        log.push(job.ID);
        yield job;
      }
    } finally {
      log.push('closed');
    }
  }

  it('reads sorted rows no further than the look-ahead item and closes the generator', () => {
    const log: string[] = [];
    list(generate(log), { order: byId, perPage: 2, sorted: true });
    expect(log).toEqual(['a', 'b', 'c', 'closed']);
  });

  it('closes the generator when the filter throws', () => {
    const log: string[] = [];
    const query = { order: byId, perPage: 2, sorted: true, filter: recorder('b') };
    expect(() => list(generate(log), query)).toThrow(RangeError);
    expect(log).toEqual(['a', 'b', 'closed']);
  });

  it('reads each key once to sort', () => {
    let reads = 0;
    const order: Order<Job> = { text: (job) => ((reads += 1), job.ID) };
    list(jobs('e d c b a'), { order });
    expect(reads).toBe(5);
  });

  it('reads few keys to find a token in a sorted array', () => {
    let reads = 0;
    const order: Order<Job> = { text: (job) => ((reads += 1), job.ID) };
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      ID: String(1_000 + at),
      CreateIndex: 0,
      Status: '',
    }));
    expect(list(many, { order, sorted: true, perPage: 2, nextToken: '1500' })).toMatchObject({
      items: [{ ID: '1500' }, { ID: '1501' }],
      nextToken: '1502',
    });
    expect(reads).toBeLessThan(20);
  });

  it('uses the loop of the filter if all rows are requested', () => {
    const filter = { ...recorder(), select: (rows: Iterable<Job>) => [...rows].slice(1) };
    expect(ids(list(jobs('c b a'), { filter, order: byId }).items)).toBe('a b');
    expect(filter.requests).toEqual([]);
  });
});

describe('refusals', () => {
  const noOrder =
    'needs an order, because tokens are made from its keys. Add an order, such as { text: (row) => row.ID }';

  it.each<[ListQuery<Job>, string, string, string]>([
    [
      { perPage: -1, order: byId },
      'invalid-per-page',
      'perPage',
      `perPage must be an integer >= 0 (0 = all), got -1`,
    ],
    [
      { perPage: NaN, order: byId },
      'invalid-per-page',
      'perPage',
      `perPage must be an integer >= 0 (0 = all), got NaN`,
    ],
    [{ perPage: 1.5 }, 'invalid-per-page', 'perPage', `perPage must be an integer >= 0 (0 = all), got 1.5`],
    [
      { perPage: Infinity },
      'invalid-per-page',
      'perPage',
      `perPage must be an integer >= 0 (0 = all), got Infinity`,
    ],
    [{ perPage: 3 }, 'no-order', 'perPage', `perPage ${noOrder}`],
    [{ nextToken: 'a' }, 'no-order', 'nextToken', `nextToken ${noOrder}`],
    [{ nextToken: 'a', perPage: 3 }, 'no-order', 'nextToken', `nextToken ${noOrder}`],
    [{ sorted: true }, 'no-order', 'sorted', `sorted ${noOrder}`],
    [
      { order: { text: (job) => job.Status }, perPage: 1 },
      'duplicate-key',
      'order',
      'two rows have the key "running", so a token cannot identify the position between them: add a unique field to order.text',
    ],
    [
      { order: { index: () => 7, text: () => 'x' }, perPage: 1 },
      'duplicate-key',
      'order',
      'two rows have the key "7.x", so a token cannot identify the position between them: add a unique field to order.text',
    ],
    [
      { order: { text: (job) => (job.ID === 'a' ? '' : job.ID) }, perPage: 1, reverse: true },
      'empty-key',
      'order',
      'a row has an empty key, which a token cannot represent: order.text must return a field that is never empty',
    ],
  ])('%j is a ListQueryError %s', (query, code, parameter, message) => {
    const attempt = (): unknown => list(jobs('a b'), query);
    expect(attempt).toThrow(ListQueryError);
    expect(attempt).toThrow(expect.objectContaining({ code, parameter, message }));
  });

  it('shows itself as plain data', () => {
    expect(JSON.parse(JSON.stringify(new ListQueryError('no-order', 'perPage', 'why')))).toEqual({
      name: 'ListQueryError',
      code: 'no-order',
      parameter: 'perPage',
      message: 'why',
    });
  });

  it('duplicates inside a page do no harm', () => {
    const order: Order<Job> = { text: (job) => job.Status };
    const page = list(jobs('A B c'), { order, perPage: 2 });
    expect(ids(page.items)).toBe('A B');
    expect(page.nextToken).toBe('running');
  });

  it.each<[string, unknown, unknown, string]>([
    [
      'rows',
      null,
      {},
      'rows must be iterable, such as an array or a generator, got null; await a promise first',
    ],
    [
      'rows',
      { a: 1 },
      {},
      'rows must be iterable, such as an array or a generator, got an object; await a promise first',
    ],
    ['query', [], null, 'the query must be an object such as { perPage: 50 }, got null'],
    ['query', [], 5, 'the query must be an object such as { perPage: 50 }, got 5'],
    ['perPage', [], { perPage: '5' }, 'perPage must be a number, got "5"'],
    ['perPage', [], { perPage: 5n }, 'perPage must be a number, got 5n'],
    ['nextToken', [], { nextToken: 5 }, 'nextToken must be a string from the previous page, got 5'],
    ['reverse', [], { reverse: 'true' }, 'reverse must be a boolean, got "true"'],
    ['sorted', [], { sorted: 1 }, 'sorted must be a boolean, got 1'],
    [
      'filter',
      [],
      { filter: 'a == b' },
      'filter must be an object with a test(row) method, got "a == b"; compile a string with compileFilter first',
    ],
    ['order', [], { order: null }, 'order must be an object such as { text: (row) => row.ID }, got null'],
    ['order.text', [], { order: {} }, 'order.text must be a function from a row to a string, got undefined'],
    [
      'order.text',
      [],
      { order: 'ID' },
      'order must be an object such as { text: (row) => row.ID }, got "ID"',
    ],
    [
      'order.index',
      [],
      { order: { ...byId, index: 3 } },
      'order.index must be a function from a row to an integer, got 3',
    ],
    ['a text', [{}], { order: byId, perPage: 1 }, 'order.text must return a string, got undefined'],
    [
      'an index',
      [{ ID: 'a' }],
      { order: byAge, perPage: 1 },
      'order.index must return an integer, got undefined (row "a")',
    ],
    [
      'an index',
      [{ ID: 'a', CreateIndex: 1.5 }],
      { order: byAge },
      'order.index must return an integer, got 1.5 (row "a")',
    ],
  ])('a wrong %s is a TypeError', (_, rows, query, message) => {
    expect(() => list(rows as Job[], query as ListQuery<Job>)).toThrow(new TypeError(message));
  });
});
