import { describe, expect, it } from 'vitest';
import { geometricMean, median, quantile, ratios, spread } from '../../bench/harness/stats.js';

describe('statistics', () => {
  it.each([
    { values: [3], middle: 3 },
    { values: [3, 1, 2], middle: 2 },
    { values: [4, 1, 3, 2], middle: 2.5 },
  ])('the median of $values is $middle', ({ values, middle }) => {
    expect(median(values)).toBe(middle);
  });

  it('interpolates between the values next to a quantile', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.25)).toBe(20);
    expect(quantile([10, 20], 0.25)).toBe(12.5);
  });

  it('leaves the values as they are', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('gives the spread as a share of the median', () => {
    expect(spread([90, 100, 110])).toBeCloseTo(0.05);
    expect(spread([7, 7, 7])).toBe(0);
  });

  it('lets twice as slow and twice as fast cancel out', () => {
    expect(geometricMean([2, 0.5])).toBeCloseTo(1);
    expect(geometricMean([1, 10, 100])).toBeCloseTo(10);
  });

  it.each([median, geometricMean])('%o needs at least one value', (statistic) => {
    expect(() => statistic([])).toThrow(RangeError);
  });

  it('divides round by round and leaves out rounds that either sat out', () => {
    expect(ratios([10, undefined, 30, 40], [5, 5, undefined, 20])).toEqual([2, 2]);
  });
});
