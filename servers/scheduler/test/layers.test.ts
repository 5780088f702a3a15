import { expect, it } from 'vitest';
import { readSources, violations, type Layout } from '../../../test/package/layers.js';

const layout: Layout = {
  layers: [
    ['main.ts'],
    ['program.ts'],
    ['process/'],
    ['commands/', 'banner.ts', 'agent.ts', 'agent/'],
    ['terminal/', 'api/', 'job-file/'],
    ['agent-config.ts', 'settings/', 'storage-drivers.ts', 'storage/drivers/'],
    ['rpc/', 'sample/'],
    ['http/'],
    ['requests/'],
    ['acl/', 'client/', 'workers/', 'membership/', 'logs/', 'profiles/', 'metrics/', 'host/', 'events/'],
    ['placement/'],
    ['cluster/'],
    ['state/'],
    ['progress/'],
    ['storage/', 'model/'],
    ['system-clock.ts', 'backoff.ts'],
    ['errors.ts', 'clock.ts'],
  ],
};

const sources = readSources(new URL('../src/', import.meta.url));

it('the scheduler keeps its layers, and has no cycles', () => {
  expect(sources.size).toBeGreaterThan(40);
  expect(violations(sources, layout)).toEqual([]);
});
