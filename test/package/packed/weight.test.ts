import { describe, expect, inject, it } from 'vitest';
import { weigh, weights } from '../../../bench/size.js';

// What a browser would load. More than these bounds needs a reason as a new dependency does.

describe('the weight of the installed package', () => {
  it.each(weights)('$code brings at most $most kB', async ({ code, most }) => {
    const { compressed } = await weigh(code, inject('consumer'));
    expect(compressed / 1000).toBeLessThan(most);
    // Much less than the bound means that something is missing or that the bound is to be lowered.
    expect(compressed / 1000).toBeGreaterThan(most * 0.8);
  });
});
