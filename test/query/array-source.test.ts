import { describe, expect, it } from 'vitest';
import { arraySource, createList, type List } from '../../src/entries/query.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({ ID: t.string, Name: t.string, Meta: t.map(t.map(t.string)) });
interface Row {
  readonly ID: string;
  readonly Name: string;
  readonly Meta: Record<string, Record<string, string>>;
}

const rowOf = (at: number, os: string | null): Row => ({
  ID: String(at).padStart(3, '0'),
  Name: `row ${String(at)}`,
  Meta: os === null ? {} : { host: { os } },
});
/** Out of order. Row 150, which lacks the host, is the first one. */
const rows = Array.from({ length: 200 }, (_, at) => {
  const place = (at * 7 + 150) % 200;
  return rowOf(place, place === 150 ? null : place % 2 === 0 ? 'linux' : 'plan9');
});

function listOf(given: Iterable<Row>, maxSorted?: number): List<Row> {
  const options = { key: 'ID' as const, ...(maxSorted === undefined ? {} : { maxSorted }) };
  return createList<Row>(arraySource(schema, () => given as Row[], options));
}

const filter = 'Meta.host.os == "linux"';

describe('a filter that fails for a row of an array', () => {
  it('returns pages that end before the row', async () => {
    const { items, nextToken } = await listOf(rows).page({ filter, perPage: 3 });
    expect(items.map(({ ID }) => ID)).toEqual(['000', '002', '004']);
    expect(nextToken).toBe('006');
  });

  it('fails pages and counts that reach the row, as with any iterable', async () => {
    for (const query of [{ filter }, { filter, perPage: 3, nextToken: '148' }]) {
      const errorOf = (given: Iterable<Row>): Promise<unknown> =>
        listOf(given)
          .page(query)
          .catch((e: unknown) => e);
      const error = await errorOf(rows);
      expect(error).toMatchObject({ name: 'FilterEvaluationError' });
      expect(error).toEqual(await errorOf(new Set(rows)));
    }
    await expect(listOf(rows).count({ filter })).rejects.toThrow('host: this row has no such key');
  });
});

describe('a filter that could fail, but does not', () => {
  const whole = rows.map((row) => (row.ID === '150' ? rowOf(150, 'linux') : row));

  it.each([
    { filter, perPage: 3 },
    { filter, perPage: 3, nextToken: '100' },
    { filter, perPage: 3, reverse: true },
    { filter: 'Name contains "1"', perPage: 5, prefix: '1' },
    { filter: 'Name contains "1"', visible: ({ ID }: Row) => ID > '120' },
    { filter, prevToken: '100', perPage: 4 },
  ])('returns the same page of an array as of any iterable: %j', async (query) => {
    expect(await listOf(whole).page(query)).toEqual(await listOf(new Set(whole)).page(query));
  });

  it('counts only matching rows towards maxSorted', async () => {
    const { items } = await listOf(whole, 12).page({ filter: 'Name contains "19"' });
    expect(items).toHaveLength(12);
    await expect(listOf(whole, 12).page({ filter })).rejects.toMatchObject({ code: 'too-many-rows' });
  });

  it('evaluates costly rows in several slices', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const Name = 'a'.repeat(100_000);
    const long = Array.from({ length: 600 }, (_, at) => ({ ...rowOf(at, 'linux'), Name }));
    try {
      expect(await listOf(long).count({ filter: 'Name matches "b[a-c]+b"' })).toBe(0);
    } finally {
      clearInterval(timer);
    }
    expect(turns).toBeGreaterThan(0);
  });
});

it.each([null, undefined, 'web', 7])('reports a row that is %s for every filter', async (row) => {
  const numbers = defineSchema({ ID: t.string, N: t.int });
  const given = [{ ID: 'a', N: 1 }, row, { ID: 'b', N: 2 }] as never[];
  const list = createList(arraySource(numbers, () => given, { key: 'ID' }));
  for (const each of ['', 'N > 0', 'N != 9', 'N in [1]', 'ID matches "a"'])
    await expect(list.page({ filter: each })).rejects.toThrow(/^row 1 must be an object, got /);
});
