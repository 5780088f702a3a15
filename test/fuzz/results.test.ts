import { describe, expect, it } from 'vitest';
import { compareResults } from './results-campaign.js';

// A small part of what `test/fuzz/compare-results.ts` does without end.
describe('random filters over random schemas', () => {
  const { differences, reached } = compareResults(20_261_122, 1_500);

  it('return the results of the plain interpreter, from every entry point', () => {
    expect(differences.map(({ difference, rendered }) => `${difference}\n${rendered}`)).toEqual([]);
  });

  it('return results often enough to be meaningful', () => {
    expect(reached.evaluated).toBeGreaterThan(700);
    expect(reached.failed).toBeGreaterThan(100);
    expect(reached.refused).toBeGreaterThan(50);
  });
});
