import { expect, it } from 'vitest';
import { stressColumns } from '../../stress/columns-stress.js';
import { startMeasuredAgent } from '../../stress/measured-agent.js';

it('returns the results of a loop over the rows, before the columns exist and after, between writes', async () => {
  const { figures, mistakes } = await stressColumns({
    ...{ rows: 3_000, counted: 1_500, rounds: 6, pages: 3, blocks: 2, seed: 7 },
    start: (jobs, what) => startMeasuredAgent(jobs, 10, what),
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
});
