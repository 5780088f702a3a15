import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, list, ListQueryError } from '../../src/index.js';

interface Row {
  readonly ID: string;
  readonly Priority: number;
}

const state = { read: 0, closed: 0 };

/** Rows one by one, each in a turn of its own. */
async function* arriving(rows: Iterable<Row>): AsyncGenerator<Row, void, undefined> {
  try {
    for (const row of rows) {
      await Promise.resolve();
      state.read += 1;
      yield row;
    }
  } finally {
    state.closed += 1;
  }
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ ID: String(at), Priority: at % 7 }));
const order = { text: ({ ID }: Row) => ID };

describe('rows that arrive one by one', () => {
  it('are selected and listed as those of an array are', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({ ID: fc.string({ minLength: 1, maxLength: 3 }), Priority: fc.nat({ max: 3 }) }),
          {
            selector: ({ ID }) => ID,
            maxLength: 20,
          },
        ),
        fc.record({
          perPage: fc.nat({ max: 4 }),
          reverse: fc.boolean(),
          nextToken: fc.string({ maxLength: 2 }),
          isFiltered: fc.boolean(),
          isOrdered: fc.boolean(),
        }),
        async (rows, { perPage, reverse, nextToken, isFiltered, isOrdered }) => {
          const filter = compileFilter<Row>('Priority > 0');
          expect(await filter.select(arriving(rows))).toEqual(filter.select(rows));
          const query = {
            reverse,
            ...(isFiltered ? { filter } : {}),
            ...(isOrdered ? { order, perPage, nextToken } : {}),
          };
          expect(await list(arriving(rows), query)).toEqual(list(rows, query));
          const whole = list(rows, { order, reverse }).items;
          if (isOrdered) {
            expect(await list(arriving(whole), { ...query, sorted: true })).toEqual(list(rows, query));
          }
        },
      ),
    ));

  it('are put in order up to a bound, and read no further', async () => {
    state.read = state.closed = 0;
    const page = list(arriving(rowsOf(50)), { order, perPage: 2, maxSorted: 10 });
    await expect(page).rejects.toThrow(ListQueryError);
    await expect(page).rejects.toThrow('more than 10 rows would have to be sorted');
    expect(state).toEqual({ read: 11, closed: 1 });
    // Non-matching rows need no order if all are requested.
    const filter = compileFilter<Row>('Priority == 3');
    const { items } = await list(arriving(rowsOf(50)), { order, filter, maxSorted: 10 });
    expect(items).toHaveLength(7);
  });

  it('are read as far as a page of sorted ones needs, and no bound is theirs', async () => {
    state.read = state.closed = 0;
    const rows = rowsOf(10);
    const page = await list(arriving(rows), { order, perPage: 2, sorted: true, maxSorted: 1 });
    expect(page).toEqual({ items: rows.slice(0, 2), nextToken: '2' });
    expect(state).toEqual({ read: 3, closed: 1 });
  });

  it('reject with what a filter finds wrong, and throw for a wrong query', async () => {
    const filter = compileFilter('Missing.deep == 1');
    await expect(filter.select(arriving(rowsOf(3)))).rejects.toThrow('Missing');
    expect(() => list(arriving([]), { maxSorted: 0 })).toThrow(
      'maxSorted must be a number of at least 1, got 0',
    );
    expect(() => list(arriving([]), { perPage: 1 })).toThrow('perPage needs an order');
  });
});
