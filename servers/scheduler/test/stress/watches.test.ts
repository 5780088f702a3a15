import { expect, it } from 'vitest';
import { startMeasuredAgent } from '../../stress/measured-agent.js';
import { stressWatches } from '../../stress/watches-stress.js';

it('wakes none of two hundred who watch results by unrelated writes, and each who is concerned by a related one', async () => {
  const { figures, mistakes } = await stressWatches({
    ...{ count: 200, filters: 50, writes: 100 },
    start: startMeasuredAgent,
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures).toHaveLength(10);
});
