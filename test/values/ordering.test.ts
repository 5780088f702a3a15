import { describe, expect, it } from 'vitest';
import { numberOrderings, type Ordering } from '../../src/language/values/ordering.js';

const orderings: readonly Ordering[] = ['<', '<=', '>', '>='];

describe('orderings', () => {
  it.each([
    [1, 2, '< <='],
    [2, 2, '<= >='],
    [2n ** 53n + 1n, 2 ** 53, '> >='],
    [2 ** 53, 2n ** 53n + 1n, '< <='],
    [1n, 1, '<= >='],
    [1n, 1.5, '< <='],
    [-Infinity, -(2n ** 80n), '< <='],
    [-0, 0, '<= >='],
    [NaN, 1, ''],
    [1n, NaN, ''],
    [NaN, NaN, ''],
  ])('%s against %s: %s', (a, b, expected) => {
    expect(orderings.filter((ordering) => numberOrderings[ordering](a, b)).join(' ')).toBe(expected);
  });
});
