import fc from 'fast-check';
import { compileFilter } from 'tamis';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { deployments } from '@tamis/scheduler-model/deployment.js';
import { jobs } from '@tamis/scheduler-model/jobs.js';
import { nodes } from '@tamis/scheduler-model/node.js';
import { scanRows, fullRange } from 'tamis/table';
import { call, createTestAgent, idsOf, withQuery } from '../support/test-agent.js';

let agent: Agent;
beforeAll(async () => {
  agent = await createTestAgent({ config: { fill: { kind: 'sample', isStill: true } } });
});

const filters = {
  '/v1/jobs': [
    '',
    'Status == "running" and Type == "service"',
    'Meta["deploy.commit"] matches "^[0-7]"',
    '"dc1" in Datacenters and not (Priority == 50)',
    'ParentID is not empty',
    'Status == nowhere',
    'any TaskGroups as g { g.Count == 6 }',
  ],
  '/v1/nodes': [
    '',
    'Attributes["cpu.arch"] == arm64',
    'Drivers.docker.Healthy == false',
    'NodeClass == gpu or Status != ready',
  ],
  '/v1/deployments': [
    '',
    'Status == running',
    'IsMultiregion == true',
    'all TaskGroups as name, group { group.DesiredTotal != 1 }',
  ],
} as const;

type Path = keyof typeof filters;
const paths = Object.keys(filters) as Path[];

async function readPages(path: string, query: Record<string, string>): Promise<string[][]> {
  const pages: string[][] = [];
  let token: unknown = '';
  do {
    const response = await call(agent, withQuery(path, { ...query, next_token: String(token) }));
    expect(response.status).toBe(200);
    pages.push(idsOf(response));
    token = response.headers['x-scheduler-nexttoken'];
  } while (token !== undefined);
  return pages;
}

describe('pages over HTTP', () => {
  it('joined are the whole list, and all but the last are full', async () => {
    const request = fc.constantFrom(...paths).chain((path) =>
      fc.record({
        path: fc.constant(path),
        filter: fc.constantFrom(...filters[path]),
        reverse: fc.boolean(),
        namespace: fc.constantFrom('', 'payments', '*'),
        perPage: fc.integer({ min: 90, max: 900 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(request, async ({ path, filter, reverse, namespace, perPage }) => {
        const query = { filter, namespace, reverse: String(reverse) };
        const pages = await readPages(path, { ...query, per_page: String(perPage) });
        const whole = idsOf(await call(agent, withQuery(path, query)));
        expect(pages.flat()).toEqual(whole);
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(perPage);
        if (pages.length > 1) expect(pages.at(-1)).not.toHaveLength(0);
      }),
      { numRuns: 25 },
    );
  });

  it('hold exactly the rows that the engine alone would pick, in their order', async () => {
    const { tables } = agent.state.snapshot();
    const rows = {
      '/v1/jobs': [scanRows(tables.jobs.primary, fullRange, false), jobs.schema],
      '/v1/nodes': [scanRows(tables.nodes.primary, fullRange, false), nodes.schema],
      '/v1/deployments': [scanRows(tables.deployments.listed, fullRange, false), deployments.schema],
    } as const;
    for (const path of paths) {
      const [all, schema] = rows[path];
      for (const filter of filters[path]) {
        const expected = [...(all as Iterable<{ ID: string }>)].filter(
          filter === '' ? () => true : compileFilter(filter, { schema }).test,
        );
        const response = await call(agent, withQuery(path, { namespace: '*', filter }));
        expect(idsOf(response)).toEqual(expected.map(({ ID }) => ID));
      }
    }
  });
});
