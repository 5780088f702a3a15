import { expect, it } from 'vitest';
import { stressPlacement } from '../../stress/place-stress.js';

it('places jobs on nodes without promising anything twice or leaving a worker idle', async () => {
  const { figures, mistakes } = await stressPlacement({
    nodes: 30,
    jobs: 60,
    workers: 2,
    failing: 3,
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures.find(({ name }) => name === 'placing: evaluations')?.value).toBeGreaterThanOrEqual(60);
  expect(figures.find(({ name }) => name === 'losing nodes: allocations')?.value).toBeGreaterThan(0);
});
