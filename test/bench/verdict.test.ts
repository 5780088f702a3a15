import { describe, expect, it } from 'vitest';
import { judge, type Sample } from '../../bench/compare/verdict.js';

/** Ratios that lie around a value, `noise` being the share by which the outermost differ from it. */
function around(value: number, noise: number): number[] {
  return [-1, -0.5, 0, 0.5, 1].map((step) => value * (1 + step * noise));
}

function sample(base: number, head: number, { twin = base, noise = 0 } = {}): Sample {
  return { base: around(base, 0), twin: around(twin, 0), head: around(head, noise) };
}

describe('the verdict on a case', () => {
  it.each<{ name: string; samples: Sample[]; outcome: string }>([
    { name: 'the same', samples: [sample(2, 2), sample(2, 2)], outcome: 'same' },
    { name: 'a fifth slower', samples: [sample(2, 2.4), sample(2, 2.4)], outcome: 'slower' },
    { name: 'a fifth faster', samples: [sample(2, 1.6), sample(2, 1.6)], outcome: 'faster' },
    { name: 'slower by less than three percent', samples: [sample(2, 2.05)], outcome: 'same' },
    { name: 'slower by no more than the twin', samples: [sample(2, 2.4, { twin: 2.3 })], outcome: 'same' },
    {
      name: 'slower in one process only',
      samples: [sample(2, 2.6), sample(2, 2), sample(2, 2.3)],
      outcome: 'same',
    },
    { name: 'slower within much noise', samples: [sample(2, 2.4, { noise: 0.2 })], outcome: 'same' },
    { name: 'within nothing but noise', samples: [sample(2, 2.4, { noise: 0.6 })], outcome: 'unclear' },
    { name: 'slower within a little noise', samples: [sample(2, 2.4, { noise: 0.05 })], outcome: 'slower' },
  ])('$name: $outcome', ({ samples, outcome }) => {
    expect(judge(samples).outcome).toBe(outcome);
  });

  it('gives the change and the band as shares', () => {
    const { change, band } = judge([sample(2, 2.2, { twin: 2.04 })]);
    expect(change).toBeCloseTo(0.1);
    expect(band).toBeCloseTo(0.0404);
  });

  it('needs a sample', () => {
    expect(() => judge([])).toThrow(RangeError);
  });
});
