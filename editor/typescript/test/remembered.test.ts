import { expect, it } from 'vitest';
import { Remembered } from '../src/remembered.js';

/** Looks strings up in turn, and returns which of them were computed. */
function made(remembered: Remembered<string>, keys: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const key of keys) {
    const make = (): string => {
      found.push(key);
      return key.toUpperCase();
    };
    expect(remembered.get(key, make)).toBe(key.toUpperCase());
  }
  return found;
}

it('results are computed once while they fit', () => {
  const remembered = new Remembered<string>(100);
  const keys = Array.from({ length: 50 }, (_, at) => `k${at % 25}`);
  expect(made(remembered, keys)).toHaveLength(25);
  expect(made(remembered, keys)).toEqual([]);
});

it('recently requested results are kept when others are evicted', () => {
  const remembered = new Remembered<string>(4);
  made(remembered, ['aa', 'bb', 'cc']);
  expect(made(remembered, ['aa', 'bb', 'cc'])).toEqual([]);
  made(remembered, ['dd', 'ee', 'ff', 'gg', 'hh']);
  expect(made(remembered, ['aa'])).toEqual(['aa']);
});

it('returns results that exceed the capacity, too', () => {
  expect(made(new Remembered<string>(1), ['aaa', 'bbb', 'ccc', 'aaa'])).toHaveLength(4);
});
