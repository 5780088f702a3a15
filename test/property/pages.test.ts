import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { list } from '../../src/lists/list/list.js';
import type { Order } from '../../src/lists/list/order.js';
import type { Page } from '../../src/lists/list/pager.js';
import type { ListQuery } from '../../src/lists/list/query.js';

interface Row {
  readonly id: string;
  readonly index: number | bigint;
  readonly match: boolean;
}

/** Few letters, some of them in another order as UTF-16 than as UTF-8, so that neighbours and prefixes are common. */
const id = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '-', '\uff01', '\u{1f600}'),
  minLength: 1,
  maxLength: 4,
});
const index = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.bigInt({ min: 9n, max: 12n }),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 3n }),
);
const row: fc.Arbitrary<Row> = fc.record({ id, index, match: fc.boolean() });
const rows = fc.uniqueArray(row, { selector: (each) => each.id, maxLength: 30 });

const orders: readonly Order<Row>[] = [
  { text: (each) => each.id },
  { index: (each) => each.index, text: (each) => each.id },
];
const query = fc.record({
  order: fc.constantFrom(...orders),
  filter: fc.constantFrom(undefined, { test: (each: Row) => each.match }),
  reverse: fc.boolean(),
});

/** All pages from `token` on. `between` may change the rows after each page. */
function readPages(
  start: readonly Row[],
  request: ListQuery<Row>,
  perPage: number,
  between: (rows: readonly Row[], page: readonly Row[]) => readonly Row[] = (same) => same,
): Row[][] {
  const pages: Row[][] = [];
  let current = start;
  let nextToken: string | null = null;
  do {
    const page: Page<Row> = list(current, { ...request, perPage, nextToken });
    pages.push(page.items);
    nextToken = page.nextToken;
    current = between(current, page.items);
    if (pages.length > 1_000) throw new Error('paging does not end');
  } while (nextToken !== null);
  return pages;
}

const perPages = fc.integer({ min: 1, max: 8 });

describe('pages', () => {
  it('concatenated are the whole list, and all but the last are full', () => {
    fc.assert(
      fc.property(rows, query, perPages, (all, request, perPage) => {
        const pages = readPages(all, request, perPage);
        expect(pages.flat()).toEqual(list(all, request).items);
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(perPage);
        // No token points at nothing: an empty page is the only page.
        if (pages.length > 1) expect(pages.at(-1)).not.toEqual([]);
      }),
    );
  });

  it('hold what a plain filter, sort and slice gives', () => {
    fc.assert(
      fc.property(rows, query, perPages, fc.nat({ max: 29 }), (all, request, perPage, at) => {
        const { order, filter, reverse } = request;
        const token = ({ id: text, index: number }: Row): string =>
          order.index ? `${BigInt(number)}.${text}` : text;
        const before = (a: Row, b: Row): number => {
          const byIndex = order.index ? Number(BigInt(a.index) - BigInt(b.index)) : 0;
          return byIndex || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
        };
        const sorted = [...all].sort(reverse ? (a, b) => before(b, a) : before);
        const target = sorted[at % (sorted.length || 1)];
        const rest = sorted
          .slice(target ? sorted.indexOf(target) : 0)
          .filter((each) => !filter || each.match);
        const next = rest[perPage];

        const nextToken = target ? token(target) : null;
        expect(list(all, { ...request, perPage, nextToken })).toEqual({
          items: rest.slice(0, perPage),
          nextToken: next ? token(next) : null,
        });
      }),
    );
  });

  it('are the same whether the rows come sorted or not', () => {
    fc.assert(
      fc.property(rows, query, fc.nat({ max: 8 }), fc.option(id), (all, request, perPage, nextToken) => {
        const sorted = list(all, { order: request.order, reverse: request.reverse }).items;
        const page = { ...request, perPage, nextToken };
        expect(list(sorted, { ...page, sorted: true })).toEqual(list(all, page));
        expect(list(sorted.values(), { ...page, sorted: true })).toEqual(list(all, page));
      }),
    );
  });

  it('begin anywhere: any text is a token, and what follows it is a tail of the list', () => {
    fc.assert(
      fc.property(
        rows,
        query,
        perPages,
        fc.string({ unit: 'binary' }),
        (all, request, perPage, nextToken) => {
          const whole = list(all, request).items;
          const tail = list(all, { ...request, nextToken }).items;
          expect(tail).toEqual(whole.slice(whole.length - tail.length));
          expect(list(all, { ...request, nextToken, perPage }).items).toEqual(tail.slice(0, perPage));
        },
      ),
    );
  });

  it('show every lasting row exactly once while others come and go', () => {
    const changes = fc.array(fc.tuple(fc.array(row, { maxLength: 3 }), fc.nat()), { maxLength: 10 });
    fc.assert(
      fc.property(rows, query, perPages, changes, (all, request, perPage, plan) => {
        const removed = new Set<string>();
        const steps = plan.values();
        const pages = readPages(all, request, perPage, (current) => {
          const [added, victim] = steps.next().value ?? [[], null];
          const gone = victim === null ? undefined : current[victim % (current.length || 1)];
          if (gone) removed.add(gone.id);
          // A key that was removed does not come back, and one that is there is not added again.
          const fresh = added.filter(
            (each) => !removed.has(each.id) && !current.some((old) => old.id === each.id),
          );
          const unique = fresh.filter((each, at) => fresh.findIndex((other) => other.id === each.id) === at);
          return [...current.filter((each) => each !== gone), ...unique];
        });
        const rendered = pages.flat();
        const ids = rendered.map((each) => each.id);
        expect(new Set(ids).size).toBe(ids.length);
        // In the order of the list, across the pages.
        expect(list(rendered, { order: request.order, reverse: request.reverse }).items).toEqual(rendered);
        const lasting = all.filter((each) => !removed.has(each.id) && (!request.filter || each.match));
        for (const each of lasting) expect(ids).toContain(each.id);
      }),
    );
  });
});
