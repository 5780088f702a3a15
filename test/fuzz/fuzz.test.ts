import { describe, expect, it } from 'vitest';
import { readSeeds, runCampaign } from './campaign.js';

// A small part of what `test/fuzz/run.ts` does without end.
describe('random filters on random rows', () => {
  const { findings, reached } = runCampaign(readSeeds(), 20_240_501, 15_000);

  it('meet nothing but the errors of the engine', () => {
    expect(findings).toEqual([]);
  });

  it('return results often enough to be meaningful', () => {
    expect(reached.evaluated).toBeGreaterThan(1_000);
    expect(reached['refused by the row']).toBeGreaterThan(1_000);
    expect(reached['refused by the check']).toBeGreaterThan(300);
    expect(reached['refused by the parser']).toBeGreaterThan(3_000);
  });
});
