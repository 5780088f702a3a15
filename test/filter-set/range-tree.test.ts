import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginsAfter, endsBefore, type KeyRange } from '../../src/filter/compile/frame/key-range.js';
import { RangeTree } from '../../src/filter/filter-set/range-tree.js';

const compare = (a: unknown, b: unknown): number => (a as number) - (b as number);

const bound = fc.option(fc.integer({ min: 0, max: 12 }), { nil: null });
const rangeArbitrary = fc.record({
  from: bound,
  to: bound,
  fromInclusive: fc.boolean(),
  toInclusive: fc.boolean(),
});

interface Item {
  readonly range: KeyRange;
  readonly name: number;
}

function isAround({ range }: Item, key: number): boolean {
  return !beginsAfter(range, key, compare) && !endsBefore(range, key, compare);
}

function namesAt(tree: RangeTree<Item>, key: number): number[] {
  const found: number[] = [];
  tree.visit(key, ({ name }) => found.push(name));
  return found.sort((a, b) => a - b);
}

it('finds the ranges around a key, whatever comes and goes', () => {
  const steps = fc.array(
    fc.record({ range: rangeArbitrary, removes: fc.option(fc.nat(60), { nil: null }) }),
    {
      maxLength: 120,
    },
  );
  fc.assert(
    fc.property(steps, (each) => {
      const tree = new RangeTree<Item>(compare);
      const items: Item[] = [];
      for (const [name, { range, removes }] of each.entries()) {
        const item = { range, name };
        tree.add(range, item);
        items.push(item);
        const [removed] = removes === null ? [] : items.splice(removes % items.length, 1);
        if (removed !== undefined) tree.delete(removed.range, removed);
      }
      for (let key = -1; key <= 13; key += 1) {
        const expected = items.filter((item) => isAround(item, key)).map(({ name }) => name);
        expect(namesAt(tree, key)).toEqual(expected);
      }
      const all: number[] = [];
      tree.visitAll(({ name }) => all.push(name));
      expect(all.sort((a, b) => a - b)).toEqual(items.map(({ name }) => name));
    }),
  );
});

it('compares with few ranges, in whatever order they came, and forgets those that have gone', () => {
  let comparisons = 0;
  const tree = new RangeTree<Item>((a, b) => {
    comparisons += 1;
    return compare(a, b);
  });
  const items = Array.from({ length: 4_096 }, (_, name): Item => {
    const range = { from: name * 10, to: name * 10 + 5, fromInclusive: true, toInclusive: true };
    return { range, name };
  });
  for (const item of items) tree.add(item.range, item);
  comparisons = 0;
  expect(namesAt(tree, 20_003)).toEqual([2_000]);
  expect(comparisons).toBeLessThan(100);

  for (const item of items.slice(0, 4_000)) tree.delete(item.range, item);
  expect(tree.size).toBe(96);
  comparisons = 0;
  expect(namesAt(tree, 40_503)).toEqual([4_050]);
  expect(comparisons).toBeLessThan(60);
});
