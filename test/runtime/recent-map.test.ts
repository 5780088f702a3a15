import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../src/runtime/recent-map.js';

describe('a recent map', () => {
  it('evicts the least recently used entry', () => {
    const map = new RecentMap<string, number>({ maxEntries: 2 });
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.has(key))).toEqual([true, false, true]);
  });

  it('does not keep one that is heavier than all may be, and forgets what its key had', () => {
    const map = new RecentMap<string, string>({ maxWeight: 3, weigh: ({ length }) => length });
    map.set('a', 'xx');
    map.set('b', 'x');
    map.set('a', 'xxxx');
    expect([map.size, map.weight, map.has('b')]).toEqual([1, 1, true]);
  });

  it('keeps nothing where nothing may be kept', () => {
    const map = new RecentMap<string, number>({ maxEntries: 0 });
    map.set('a', 1);
    expect(map.size).toBe(0);
  });

  it('is what a list of entries in the order of their use is', () => {
    const act = fc.record({
      act: fc.constantFrom('get', 'set', 'delete'),
      key: fc.nat(5),
      value: fc.nat(7),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), fc.nat(4), fc.nat(12), (acts, maxEntries, maxWeight) => {
        const evicted: number[] = [];
        const map = new RecentMap<number, number>({
          maxEntries,
          maxWeight,
          weigh: (value) => value,
          onEvict: (key) => evicted.push(key),
        });
        let model: { readonly key: number; readonly value: number }[] = [];
        const gone: number[] = [];
        for (const { act: name, key, value } of acts) {
          const known = model.find((each) => each.key === key);
          if (name !== 'get' || known !== undefined) model = model.filter((each) => each.key !== key);
          if (name === 'get') {
            expect(map.get(key)).toBe(known?.value);
            if (known !== undefined) model.push(known);
          } else if (name === 'delete') map.delete(key);
          else {
            map.set(key, value);
            if (value <= maxWeight && maxEntries > 0) model.push({ key, value });
            const weight = (): number => model.reduce((sum, each) => sum + each.value, 0);
            while (model.length > maxEntries || weight() > maxWeight) gone.push(model.shift()?.key ?? -1);
          }
          expect([map.size, map.weight]).toEqual([
            model.length,
            model.reduce((sum, each) => sum + each.value, 0),
          ]);
        }
        expect(evicted).toEqual(gone);
        for (const { key } of model) expect(map.has(key)).toBe(true);
      }),
    );
  });
});
