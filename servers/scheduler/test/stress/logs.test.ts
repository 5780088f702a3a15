import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildAgent, type BuiltAgent } from '../../stress/build-agent.js';
import { startLogCluster } from '../../stress/log-cluster.js';
import { stressLogs } from '../../stress/logs-stress.js';

let built: BuiltAgent;
beforeAll(async () => {
  built = await buildAgent();
});
afterAll(() => built.remove());

it('forty follow one log, and three a log that is written fast', async () => {
  const { figures, mistakes } = await stressLogs({
    ...{ followers: 40, rate: 10, seconds: 1, bounds: null },
    start: (maxFileStreams) => startLogCluster(built.main, maxFileStreams),
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures.find(({ name }) => name === 'lines that were read')?.value).toBeGreaterThan(40);
});
