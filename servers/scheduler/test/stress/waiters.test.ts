import { expect, it } from 'vitest';
import { startMeasuredAgent } from '../../stress/measured-agent.js';
import { stressWaiters } from '../../stress/waiters-stress.js';

it('wakes five hundred waiters by a write to their table, and none by another', async () => {
  const { figures, mistakes } = await stressWaiters({
    count: 500,
    jobs: 1_000,
    start: startMeasuredAgent,
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures).toHaveLength(20);
});
