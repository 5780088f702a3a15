import { afterEach, describe, expect, it, vi } from 'vitest';
import { listEndpoint } from '../../src/entries/http.js';
import { defineSchema, t } from '../../src/index.js';
import { arraySource, createList, type RowsProvider } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';

const schema = defineSchema({ ID: t.string, Size: t.int });
type Row = { ID: string; Size: number };
const source = (rows: () => RowsProvider<Row>) => arraySource(schema, rows, { key: 'ID' });
const enough = new Error('enough');
const never = () => new Promise<never>(() => undefined);

/** Rows that are all there, and whether a consumer still wants them. */
function endless() {
  const state = { isExpected: false };
  async function* rows(): AsyncGenerator<Row> {
    state.isExpected = true;
    try {
      for (let Size = 0; ; Size += 1) yield Promise.resolve({ ID: `r${Size}`, Size });
    } finally {
      state.isExpected = false;
    }
  }
  return { state, rows };
}

/** Rows that never come. */
function stuck() {
  const state = { isExpected: false };
  const reader: AsyncIterator<Row> = {
    next: () => {
      state.isExpected = true;
      return never();
    },
    return: () => {
      state.isExpected = false;
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { state, rows: (): AsyncIterable<Row> => ({ [Symbol.asyncIterator]: () => reader }) };
}

afterEach(() => vi.restoreAllMocks());

describe.each([
  ['without an end', endless],
  ['that never come', stuck],
])('rows %s', (_, make) => {
  it('yield to other tasks, and stop when the caller is gone', async () => {
    const { state, rows } = make();
    const leaving = new AbortController();
    const counting = createList(source(rows)).count({ filter: 'Size < 0' }, leaving.signal);
    await expect.poll(() => state.isExpected).toBe(true);
    leaving.abort(enough);
    await expect(counting).rejects.toBe(enough);
    await expect.poll(() => state.isExpected).toBe(false);
  });

  it('are left when the list is closed', async () => {
    const { state, rows } = make();
    const list = createList(source(rows));
    const counting = list.count({ filter: 'Size < 0' });
    await expect.poll(() => state.isExpected).toBe(true);
    list.close();
    await expect(counting).rejects.toThrow('The list is closed');
    await expect.poll(() => state.isExpected).toBe(false);
  });
});

it('a function that never gives its rows is left', async () => {
  const leaving = new AbortController();
  const requests = createList(source(never)).page({}, leaving.signal);
  setImmediate(() => leaving.abort(enough));
  await expect(requests).rejects.toBe(enough);
});

it('rows that fail are not closed', async () => {
  const ends = vi.fn();
  const reader = { next: () => Promise.reject(enough), return: ends };
  const list = createList(source(() => ({ [Symbol.asyncIterator]: () => reader })));
  await expect(list.page({})).rejects.toBe(enough);
  expect(ends).not.toHaveBeenCalled();
});

it('closes rows that are no longer needed if the query fails', async () => {
  const ends = vi.fn(() => Promise.reject(new Error('and this too')));
  const reader = { next: () => Promise.resolve({ done: false, value: { ID: 'a', Size: 1 } }), return: ends };
  const list = createList(source(() => ({ [Symbol.asyncIterator]: () => reader })));
  const visible = (): boolean => {
    throw enough;
  };
  await expect(list.page({ visible })).rejects.toBe(enough);
  expect(ends).toHaveBeenCalledOnce();
});

describe('an endpoint whose caller is never found', () => {
  const table = createTable(schema, { key: 'ID' });
  const head = { method: 'GET', url: '/', header: () => null };

  it('ends with the signal', async () => {
    const leaving = new AbortController();
    const result = listEndpoint(table, { caller: never }).respond(head, leaving.signal);
    leaving.abort(enough);
    await expect(result).rejects.toBe(enough);
  });

  it('ends when it is closed', async () => {
    const endpoint = listEndpoint(table, { caller: never });
    const result = endpoint.respond(head, new AbortController().signal);
    endpoint.close();
    await expect(result).resolves.toMatchObject({ status: 503, body: 'The list is closed' });
  });
});

it('returns a result even if the error handler fails', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const endpoint = listEndpoint(createTable(schema, { key: 'ID' }), {
    caller: () => Promise.reject(new Error('no database')),
    onError: () => {
      throw enough;
    },
  });
  const { status } = await endpoint.fetch(new Request('http://list.example/'));
  expect(status).toBe(500);
  expect(print).toHaveBeenCalledExactlyOnceWith(enough);
});
