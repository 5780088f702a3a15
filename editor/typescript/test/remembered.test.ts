import { expect, it } from 'vitest';
import { Remembered } from '../src/remembered.js';

/** Asks for texts in turn, and tells which of them were made. */
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

it('answers are made once while they fit', () => {
  const remembered = new Remembered<string>(100);
  const keys = Array.from({ length: 50 }, (_, at) => `k${at % 25}`);
  expect(made(remembered, keys)).toHaveLength(25);
  expect(made(remembered, keys)).toEqual([]);
});

it('answers that were asked for since are kept when others are let go', () => {
  const remembered = new Remembered<string>(4);
  made(remembered, ['aa', 'bb', 'cc']);
  expect(made(remembered, ['aa', 'bb', 'cc'])).toEqual([]);
  made(remembered, ['dd', 'ee', 'ff', 'gg', 'hh']);
  expect(made(remembered, ['aa'])).toEqual(['aa']);
});

it('what is longer than all that fits is answered, too', () => {
  expect(made(new Remembered<string>(1), ['aaa', 'bbb', 'ccc', 'aaa'])).toHaveLength(4);
});
