import { expect, it } from 'vitest';
import { startMeasuredAgent } from '../../stress/measured-agent.js';
import { stressStreams } from '../../stress/streams-stress.js';

it('tells sixty streams of what each asks for, and those later that did not read', async () => {
  const { figures, mistakes } = await stressStreams({
    ...{ count: 60, rate: 100, seconds: 1 },
    start: startMeasuredAgent,
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures.find(({ name }) => name === 'events')?.value).toBe(1_100);
});
