import { expect, it } from 'vitest';
import { readSources, violations, type Layout } from '../../../test/package/layers.js';

const layout: Layout = {
  layers: [
    ['main.ts'],
    ['program/'],
    ['agent/'],
    ['rpc/'],
    ['api/routes.ts', 'api/server.ts', 'api/client-server.ts'],
    ['api/document/', 'api/pages/'],
    ['api/agent/', 'api/resources/'],
    ['api/lists/'],
    ['api/kernel/'],
    ['services/'],
  ],
};

const sources = readSources(new URL('../src/', import.meta.url));

it('the scheduler keeps its layers, and has no cycles', () => {
  expect(sources.size).toBeGreaterThan(40);
  expect(violations(sources, layout)).toEqual([]);
});
