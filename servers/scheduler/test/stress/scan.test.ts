import { expect, it } from 'vitest';
import { startMeasuredAgent } from '../../stress/measured-agent.js';
import { stressScans } from '../../stress/scan-stress.js';

it('returns correct pages, full scans and whole lists over many rows', async () => {
  const { figures, mistakes } = await stressScans({
    sizes: [100_000],
    repeats: 2,
    scanners: 3,
    rounds: 1,
    loadTime: 0,
    start: (jobs) => startMeasuredAgent(jobs, 10),
    progress: () => undefined,
  });
  expect(mistakes).toEqual([]);
  expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  const length = (name: string): number => figures.find((each) => each.name.endsWith(name))?.value ?? NaN;
  expect(length('the whole list with gzip: length')).toBeLessThan(length('the whole list: length') / 5);
});
