import fc from 'fast-check';
import { compareKeys, keyOf } from '../../src/index.js';
import { describe, expect, it } from 'vitest';
import { stringKey } from '../../src/lists/table/key.js';
import {
  findRow,
  sortRows,
  prefixRange,
  scanRows,
  fullRange,
  type SortedRows,
  withoutRow,
  withRow,
} from '../../src/lists/table/sorted-rows.js';

interface Item {
  readonly index: number | bigint;
  readonly text: string;
  readonly value: number;
}

const order = { index: (item: Item) => item.index, text: (item: Item) => item.text };
const byText = { text: (item: Item) => item.text };

describe('compareKeys', () => {
  it.each<[a: string, b: string]>([
    ['', 'a'],
    ['B', 'a'],
    ['a', 'a-b'],
    ['a-b', 'ab'],
    ['\uff01', '😀'],
  ])('puts %j before %j', (a, b) => {
    expect(compareKeys(stringKey(a), stringKey(b))).toBeLessThan(0);
    expect(compareKeys(stringKey(b), stringKey(a))).toBeGreaterThan(0);
  });

  it('looks at the number first', () => {
    expect(compareKeys(stringKey('b', 9n), stringKey('a', 10))).toBeLessThan(0);
  });
});

/** The result of a plain sorted array: the model of everything below. */
class Model {
  readonly #items = new Map<string, Item>();

  static name(key: { index: number | bigint; text: string }): string {
    return `${key.index}.${key.text}`;
  }
  put(item: Item): void {
    this.#items.set(Model.name(item), item);
  }
  delete(key: { index: number | bigint; text: string }): void {
    this.#items.delete(Model.name(key));
  }
  sorted(): Item[] {
    return [...this.#items.values()].sort((a, b) => compareKeys(a, b));
  }
}

// Few distinct keys, so that rows are replaced, deleted and met again; many operations, so that chunks split.
const key = fc.record({
  index: fc.oneof(fc.nat({ max: 40 }), fc.bigInt({ min: 0n, max: 40n })),
  text: fc.string({ unit: fc.constantFrom('a', 'b', '😀', '\uff01', '.'), maxLength: 3 }),
});

describe('ordered rows', () => {
  it('do what a sorted array does, and leave older values alone', () => {
    const operation = fc.record({ put: fc.boolean(), key });
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 1_500 }),
        fc.array(operation, { maxLength: 300 }),
        (start, operations) => {
          const model = new Model();
          for (const [at, { index, text }] of start.entries()) model.put({ index, text, value: at });
          let rows = sortRows(order, model.sorted());
          const before = rows;
          const contentBefore = [...scanRows(rows, fullRange, false)];
          for (const [at, { put, key: position }] of operations.entries()) {
            const item = { ...position, value: -at };
            if (put) model.put(item);
            else model.delete(position);
            rows = put ? withRow(rows, item) : withoutRow(rows, position);
          }
          const expected = model.sorted();
          expect([...scanRows(rows, fullRange, false)]).toEqual(expected);
          expect([...scanRows(rows, fullRange, true)]).toEqual(expected.toReversed());
          expect(rows.size).toBe(expected.length);
          for (const item of expected) expect(findRow(rows, keyOf(order, item))).toBe(item);
          expect([...scanRows(before, fullRange, false)]).toEqual(contentBefore);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are scanned within a range, both ends included, in both directions', () => {
    const end = fc.option(key, { nil: null });
    fc.assert(
      fc.property(fc.array(key, { maxLength: 900 }), end, end, (start, from, to) => {
        const model = new Model();
        for (const [at, { index, text }] of start.entries()) model.put({ index, text, value: at });
        const rows = sortRows(order, model.sorted());
        const expected = model
          .sorted()
          .filter((item) => from === null || compareKeys(item, from) >= 0)
          .filter((item) => to === null || compareKeys(item, to) <= 0);
        expect([...scanRows(rows, { from, to }, false)]).toEqual(expected);
        expect([...scanRows(rows, { from, to }, true)]).toEqual(expected.toReversed());
      }),
      { numRuns: 60 },
    );
  });

  it('are the same on many pages', () => {
    const text = (at: number): string => String(at).padStart(6, '0');
    const all = Array.from({ length: 40_000 }, (_, at): Item => ({
      index: 0,
      text: text(at * 2),
      value: at,
    }));
    const rows = sortRows(byText, all);
    expect(rows.pages.length).toBeGreaterThan(3);
    const position = fc.integer({ min: -1, max: 80_001 }).map((at) => (at < 0 ? null : at));
    fc.assert(
      fc.property(
        position,
        position,
        fc.array(fc.nat({ max: 80_000 }), { maxLength: 20 }),
        (from, to, changes) => {
          let changed: SortedRows<Item> = rows;
          const model = new Map<string, Item>(all.map((item) => [item.text, item]));
          for (const at of changes) {
            const item = { index: 0, text: text(at), value: -1 };
            if (at % 3 === 0) model.delete(item.text);
            else model.set(item.text, item);
            changed = at % 3 === 0 ? withoutRow(changed, stringKey(item.text)) : withRow(changed, item);
          }
          const key = (at: number | null): ReturnType<typeof stringKey> | null =>
            at === null ? null : stringKey(text(at));
          const expected = [...model.values()]
            .filter((item) => from === null || item.text >= text(from))
            .filter((item) => to === null || item.text <= text(to))
            .sort((a, b) => (a.text < b.text ? -1 : 1));
          const range = { from: key(from), to: key(to) };
          const found = [...scanRows(changed, range, false)];
          // Comparing element by element with `toEqual` would take most of a second.
          expect(found.length).toBe(expected.length);
          expect(found.every((item, at) => item === expected[at])).toBe(true);
          const reversed = [...scanRows(changed, range, true)].reverse();
          expect(reversed.length).toBe(expected.length);
          expect(reversed.every((item, at) => item === expected[at])).toBe(true);
          expect(changed.size).toBe(model.size);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('are found deep inside without a look at those before', () => {
    let looks = 0;
    const counted = {
      text: (item: Item) => {
        looks += 1;
        return item.text;
      },
    };
    const items = Array.from({ length: 100_000 }, (_, value) => ({
      index: 0,
      text: String(value).padStart(6, '0'),
      value,
    }));
    const rows = sortRows(counted, items);
    looks = 0;
    for (const reverse of [false, true]) {
      const end = stringKey('077777');
      const range = reverse ? { from: null, to: end } : { from: end, to: null };
      const [first] = scanRows(rows, range, reverse);
      expect(first?.value).toBe(77_777);
    }
    expect(looks).toBeLessThan(100);
  });

  it('grow from nothing and shrink to nothing, in any order of keys', () => {
    const count = 20_000;
    const texts = Array.from({ length: count }, (_, at) => String((at * 7_919) % count).padStart(5, '0'));
    let rows = sortRows(byText, [] as Item[]);
    for (const [value, text] of texts.entries()) rows = withRow(rows, { index: 0, text, value });
    expect([...scanRows(rows, fullRange, false)].map(({ text }) => text)).toEqual(texts.toSorted());
    expect(Math.max(...rows.chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(128);
    expect(Math.max(...rows.pages.map((page) => page.length))).toBeLessThanOrEqual(128);
    expect(rows.pages.length).toBeGreaterThan(1);
    for (const text of texts) rows = withoutRow(rows, stringKey(text));
    expect(rows.size).toBe(0);
    expect(rows.pages).toEqual([]);
    expect([...scanRows(rows, { from: stringKey('0'), to: stringKey('9') }, true)]).toEqual([]);
  });

  it.each<[prefix: string, found: string[]]>([
    ['', ['a', 'a.b', 'ab', 'b', '😀', '😀x']],
    ['a', ['a', 'a.b', 'ab']],
    ['a.', ['a.b']],
    ['😀', ['😀', '😀x']],
    ['c', []],
  ])('with the prefix %j are found without looking at others', (prefix, found) => {
    const items = ['😀x', 'b', 'ab', 'a', '😀', 'a.b'].map((text, value) => ({ index: 0, text, value }));
    const rows = sortRows(byText, items);
    expect([...scanRows(rows, prefixRange(prefix), false)].map(({ text }) => text)).toEqual(found);
    expect([...scanRows(rows, prefixRange(prefix), true)].map(({ text }) => text)).toEqual(
      found.toReversed(),
    );
  });
});
