import { describe, expect, inject, it } from 'vitest';
import { weigh, weights } from '../../../bench/size.js';

// What a bundle takes on. More than these bounds needs a reason as a new dependency does.

describe('the weight of the installed package', () => {
  it.each(weights)('$name in bundles for: $place, at most $max kB', async (program) => {
    const { max } = program;
    const { compressed } = await weigh(program, inject('consumer'));
    expect(compressed / 1000).toBeLessThan(max);
    // Much less than the bound means that something is missing or that the bound is to be lowered.
    expect(compressed / 1000).toBeGreaterThan(max * 0.9);
  });
});
