import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSample, type Sample } from '../../src/services/metrics/sample.js';

function sampleOf(values: readonly number[]): Sample {
  const sample = createSample();
  for (const value of values) sample.add(value);
  return sample.current();
}

describe('a sample', () => {
  it.each<[values: number[], sample: Sample]>([
    [[], { Count: 0, Sum: 0, Min: 0, Max: 0, Mean: 0, Stddev: 0 }],
    [[3], { Count: 1, Sum: 3, Min: 3, Max: 3, Mean: 3, Stddev: 0 }],
    [[-1, 1], { Count: 2, Sum: 0, Min: -1, Max: 1, Mean: 0, Stddev: Math.SQRT2 }],
    [[2, 4, 4, 4, 5, 5, 7, 9], { Count: 8, Sum: 40, Min: 2, Max: 9, Mean: 5, Stddev: Math.sqrt(32 / 7) }],
  ])('of %j', (values, sample) => expect(sampleOf(values)).toEqual(sample));

  it('keeps the spread of values that differ in their last digits only', () => {
    expect(sampleOf([1e9 + 1, 1e9 + 2, 1e9 + 3]).Stddev).toBe(1);
  });

  it('says what the formulas over all values say', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 50 }), (values) => {
        const { Count, Max, Mean, Min, Stddev } = sampleOf(values);
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        expect([Count, Min, Max]).toEqual([values.length, Math.min(...values), Math.max(...values)]);
        expect(Mean).toBeCloseTo(mean, 3);
        expect(Stddev).toBeCloseTo(Math.sqrt(squares / (values.length - 1)), 3);
      }),
    );
  });
});
