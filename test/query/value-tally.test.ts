import { describe, expect, it } from 'vitest';
import { createValueTally } from '../../src/lists/query/scan/value-counts.js';

describe('a tally of values', () => {
  it('counts ten thousand values one by one, and reports a hundred short ones', () => {
    const tally = createValueTally();
    tally.add('x'.repeat(257), 50_000);
    for (let at = 0; at < 10_000; at += 1) tally.add(`v${String(at).padStart(5, '0')}`, 1);
    tally.add('late', 9);
    tally.add('v09999', 2);
    const { values, others } = tally.finish();
    expect(values).toHaveLength(100);
    expect(values.slice(0, 2)).toEqual([
      { value: 'v09999', count: 3 },
      { value: 'v00000', count: 1 },
    ]);
    expect(others).toBe(50_000 + 9 + 10_000 - 100);
  });
});
