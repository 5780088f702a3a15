import { expect, it } from 'vitest';
import { startMeasuredAgent } from '../../stress/measured-agent.js';
import { stressStreams } from '../../stress/streams-stress.js';

it('delivers the requested events to sixty streams, and later to those that did not read', async () => {
  const { figures, mistakes } = await stressStreams({
    ...{ count: 60, rate: 100, seconds: 1 },
    start: startMeasuredAgent,
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures.find(({ name }) => name === 'events')?.value).toBe(1_100);
});
