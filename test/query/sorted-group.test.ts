import { describe, expect, it } from 'vitest';
import { createList, type List, type ListPage } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

interface Row {
  readonly ID: string;
  readonly Group: string;
  readonly Rank: number;
}

const rowOf = (at: number, Rank: number): Row => ({ ID: `row-${at}`, Group: at % 2 === 0 ? 'a' : 'b', Rank });

describe('pages of an index group that are requested several times in one order', () => {
  const schema = defineSchema({ ID: t.string, Group: t.string, Rank: t.int });
  const table = createTable(schema, {
    key: 'ID',
    indexes: ['Group'],
    sorts: ['Rank', 'Group'],
  });
  table.putAll(Array.from({ length: 40 }, (_, at) => rowOf(at, (at * 7) % 11)));
  const list = createList(table) as List<Row>;
  const idsOf = ({ items }: ListPage<Row>): string[] => items.map(({ ID }) => ID);
  const expected = (max: number): string[] =>
    [...table.rows()]
      .filter(({ Group, Rank }) => Group === 'a' && Rank < max)
      .sort((a, b) => Number(b.Rank) - Number(a.Rank) || (a.ID < b.ID ? 1 : -1))
      .map(({ ID }) => ID);
  const read = (max: number, nextToken = ''): Promise<ListPage<Row>> =>
    list.page({ filter: `Group == "a" and Rank < ${max}`, sort: '-Rank', perPage: 5, nextToken });

  it('contain the current rows in order after each write', async () => {
    for (let write = 0; write < 6; write += 1) {
      for (let max = 4; max < 10; max += 1) {
        const first = await read(max);
        expect(idsOf(first)).toEqual(expected(max).slice(0, 5));
        expect(idsOf(await read(max, first.nextToken ?? ''))).toEqual(expected(max).slice(5, 10));
      }
      table.put(rowOf(write * 3, (write * 5) % 11));
      table.delete(`row-${write * 4 + 1}`);
    }
  });

  it('are in the order of each request if two orders alternate', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      expect(idsOf(await read(9))).toEqual(expected(9).slice(0, 5));
      const { items } = await list.page({ filter: 'Group == "a"', sort: 'Group', perPage: 3 });
      expect(items.map(({ ID }) => ID)).toEqual(
        [...table.rows()]
          .filter(({ Group }) => Group === 'a')
          .map(({ ID }) => ID)
          .sort()
          .slice(0, 3),
      );
    }
  });

  it('keep rows with equal numbers in list order, also as bigints', async () => {
    const numbers = [7, 2n ** 60n, 7n, -(2n ** 60n), 0, 2n ** 60n + 1n, 2n ** 60n, -0];
    const big = createTable(schema, { key: 'ID', indexes: ['Group'], sorts: ['Rank'], rows: 'share' });
    big.putAll(numbers.map((Rank, at) => ({ ID: `row-${at}`, Group: 'a', Rank })));
    const ofGroup = createList(big);
    for (let turn = 0; turn < 4; turn += 1) {
      const { items } = await ofGroup.page({ filter: 'Group == "a"', sort: 'Rank', perPage: 10 });
      expect(items.map(({ ID }) => ID.slice(4)).join('')).toBe('34702165');
    }
  });
});
