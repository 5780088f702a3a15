import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWhole, type Filter } from '../../src/filter/filter.js';
import { compareBytewise } from '../../src/language/values/utf8-order.js';
import { list } from '../../src/lists/list/list.js';
import { compareKeys, keyOf, type Order } from '../../src/lists/list/order.js';
import { createPager, type Page, type Pager } from '../../src/lists/list/pager.js';
import type { PagerQuery } from '../../src/lists/list/query.js';
import { defineSchema, t } from '../../src/language/schema/define.js';
import { eager } from '../specialise/eager.js';

interface Row {
  readonly ID: string;
  readonly Index: number | bigint;
  readonly Status: string;
  /** Null where the filter fails. */
  readonly Extra: { readonly Deep: boolean } | null;
}

const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Extra: t.nullable(t.struct({ Deep: t.bool })),
});
const text = 'Status == run and Extra.Deep == true';
const byClosures = compileWhole(text, { schema, specialise: false }).filter as Filter<Row>;
const byCode = compileWhole(text, { schema }, eager).filter as Filter<Row>;
const filters = { closures: byClosures, code: byCode, 'a test': { test: byClosures.test }, none: undefined };

const byId: Order<Row> = { text: (row) => row.ID };
const byAge: Order<Row> = { index: (row) => row.Index, text: (row) => row.ID };

const row: fc.Arbitrary<Row> = fc.record({
  ID: fc.string({ unit: fc.constantFrom('a', 'b', '.', '1', '😀', '\uff01'), minLength: 1, maxLength: 3 }),
  Index: fc.oneof(fc.nat({ max: 12 }), fc.constant(2n ** 60n)),
  Status: fc.constantFrom('run', 'dead'),
  Extra: fc.option(fc.constant({ Deep: true }), { nil: null, freq: 20 }),
});
const token = fc.oneof(
  fc.constant(''),
  fc.tuple(fc.nat({ max: 13 }), fc.constantFrom('a', 'b1', '')).map(([index, id]) => `${index}.${id}`),
  fc.constantFrom('a', '5', 'zz', '-3.x', '00007.a', '.', '1\n.a', `${'9'.repeat(400)}.a`),
);
const query = fc.record({
  order: fc.constantFrom(byId, byAge),
  reverse: fc.boolean(),
  perPage: fc.nat({ max: 6 }),
  nextToken: token,
});

interface Outcome {
  readonly page: Page<Row> | string;
  readonly examined: number | null;
}

/** What a page is, said another way: row by row, each compared with the token. */
function expectedOf(
  rows: readonly Row[],
  { order, reverse, perPage, nextToken }: Query,
  filter: Test,
): Outcome {
  const tokenOf = (each: Row): string =>
    `${order.index === undefined ? '' : `${order.index(each)}.`}${order.text(each)}`;
  const named =
    order.index === undefined ? [nextToken, 0, nextToken] : /^(-?\d{1,309})\.(.*)$/s.exec(nextToken);
  const key = named === null ? null : { index: BigInt(named[1] ?? 0), text: String(named[2]) };
  if (order.index === undefined && key !== null) key.index = 0n;
  const items: Row[] = [];
  let examined = 0;
  for (const each of rows) {
    const distance =
      key === null ? compareBytewise(tokenOf(each), nextToken) : compareKeys(keyOf(order, each), key);
    const isBefore = nextToken !== '' && (reverse ? distance > 0 : distance < 0);
    if (isBefore && (key !== null || items.length === 0)) continue;
    examined += 1;
    try {
      if (filter !== undefined && !filter.test(each)) continue;
    } catch (error) {
      return { page: String(error), examined: null };
    }
    if (perPage > 0 && items.length === perPage)
      return { page: { items, nextToken: tokenOf(each) }, examined };
    items.push(each);
  }
  return { page: { items, nextToken: null }, examined };
}

type Query = Required<Pick<PagerQuery<Row>, 'order'>> & {
  readonly reverse: boolean;
  readonly perPage: number;
  readonly nextToken: string;
};
type Test = { readonly test: (row: Row) => boolean } | undefined;

function outcomeOf(pager: Pager<Row>, feed: () => void): Outcome {
  try {
    feed();
  } catch (error) {
    return { page: String(error), examined: null };
  }
  const page = pager.page();
  expect(pager.page()).toEqual(page);
  return { page, examined: pager.examined };
}

const cases = [
  fc.uniqueArray(row, { selector: ({ ID }) => ID, maxLength: 80 }),
  query,
  fc.constantFrom(...(Object.keys(filters) as (keyof typeof filters)[])),
] as const;

function inOrder(rows: readonly Row[], { order, reverse }: Query): Row[] {
  return list(rows, { order, reverse }).items;
}

describe('a pager', () => {
  it('finds the same page for any source of rows, tests no row more, and fails at the same row', () => {
    fc.assert(
      fc.property(
        ...cases,
        fc.array(fc.nat({ max: 40 }), { minLength: 1 }),
        (unsorted, requests, name, lengths) => {
          const rows = inOrder(unsorted, requests);
          const filter = filters[name];
          const expected = expectedOf(rows, requests, filter);
          const singly = createPager({ ...requests, filter });
          expect(outcomeOf(singly, () => void rows.some((each) => singly.add(each)))).toEqual(expected);
          const whole = createPager({ ...requests, filter });
          expect(outcomeOf(whole, () => void whole.addAll(rows))).toEqual(expected);
          const pieces = createPager({ ...requests, filter });
          const feed = (): void => {
            for (let at = 0, piece = 0; at < rows.length; piece += 1) {
              const to = Math.min(at + (lengths[piece % lengths.length] ?? 0) + 1, rows.length);
              if (pieces.addAll(rows, at, to)) return;
              at = to;
            }
          };
          expect(outcomeOf(pieces, feed)).toEqual(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('finds the same page among the rows from its start on', () => {
    fc.assert(
      fc.property(...cases, (unsorted, requests, name) => {
        const rows = inOrder(unsorted, requests);
        const pager = createPager({ ...requests, filter: filters[name] });
        const { start } = pager;
        const rest = rows.filter((each) => {
          const distance = start === null ? 0 : compareKeys(keyOf(requests.order, each), start);
          return requests.reverse ? distance <= 0 : distance >= 0;
        });
        expect(outcomeOf(pager, () => void pager.addAll(rest))).toEqual(
          expectedOf(rows, requests, filters[name]),
        );
      }),
      { numRuns: 300 },
    );
  });

  const rows = ['a', 'b', 'c', 'd'].map((ID): Row => ({
    ID,
    Index: 1,
    Status: 'run',
    Extra: { Deep: true },
  }));

  it('reports where to begin', () => {
    const startOf = (order: Order<Row>, nextToken: string | null): unknown =>
      createPager({ order, nextToken }).start;
    expect(startOf(byId, 'b')).toEqual({ index: 0, text: 'b' });
    expect(startOf(byAge, '-7.b.c')).toEqual({ index: -7n, text: 'b.c' });
    for (const nothing of [null, '']) expect(startOf(byAge, nothing)).toBeNull();
    for (const nowhere of ['b', '7', '+7.b', '']) expect(startOf(byAge, nowhere)).toBeNull();
  });

  it('takes no more once the page is decided', () => {
    const pager = createPager({ order: byId, perPage: 2 });
    expect(pager.addAll(rows)).toBe(true);
    expect(pager.add(rows[3] as Row)).toBe(true);
    expect(pager.addAll(rows, 3)).toBe(true);
    expect(pager.page()).toEqual({ items: rows.slice(0, 2), nextToken: 'c' });
    expect([pager.found, pager.examined]).toEqual([3, 3]);
  });

  it('returns everything if no page is requested', () => {
    const pager = createPager({ order: byId });
    expect(pager.addAll(rows)).toBe(false);
    expect(pager.add(rows[0] as Row)).toBe(false);
    expect(pager.page().items).toHaveLength(5);
  });

  it('refuses a page that no token can end', () => {
    const pager = createPager({ order: { text: () => 'same' }, perPage: 1 });
    pager.addAll(rows);
    expect(() => pager.page()).toThrow('two rows have the key "same"');
  });

  it.each<[unknown, string]>([
    [{}, 'order must be an object such as { text: (row) => row.ID }, got undefined'],
    [{ order: byId, sorted: true }, 'createPager: unknown option "sorted"'],
    [{ order: byId, perpage: 3 }, 'Did you mean perPage?'],
    [{ order: byId, perPage: -1 }, 'perPage must be an integer >= 0 (0 = all), got -1'],
    [{ order: byId, filter: 'a == b' }, 'filter must be an object with a test(row) method'],
    [null, 'the query must be an object'],
  ])('%j is refused', (wrong, message) => {
    expect(() => createPager(wrong as PagerQuery<Row>)).toThrow(message);
  });

  it.each([
    [-1, 2],
    [3, 2],
    [0, 5],
    [0.5, 2],
    [0, NaN],
  ])('refuses the range from %d to %d of four rows', (from, to) => {
    for (const filter of Object.values(filters)) {
      const pager = createPager({ order: byId, filter });
      expect(() => pager.addAll(rows, from, to)).toThrow(RangeError);
    }
  });
});
