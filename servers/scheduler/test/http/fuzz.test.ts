import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { call } from '../support/test-agent.js';

let agent: Agent;
beforeAll(async () => {
  agent = await createBaseAgent();
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    'true',
    '*',
    'default',
    'global',
    '5s',
    '1e9',
    '%',
    'default.alpha',
    '43.x',
    'ID == alpha',
  ),
  fc.stringMatching(
    /^(ID|Meta\["a.b"\]|TaskGroups\.0|Periodic) (==|!=|in|is|matches) ("[a-z(]*"|empty|nil)$/,
  ),
);
const name = fc.oneof(
  fc.constantFrom(
    'filter',
    'per_page',
    'next_token',
    'wait',
    'stale',
    'namespace',
    'prefix',
    'reverse',
    'pretty',
    'meta',
    'os',
    'resources',
    'task_states',
    'all',
    'job',
    'status',
  ),
  text,
);
const path = fc.oneof(
  fc.constantFrom('/v1/jobs', '/v1/nodes', '/v1/deployments', '/v1/job/', '/v1/node/', '/v1/deployment/'),
  fc.constantFrom('/v1/evaluations', '/v1/allocations', '/v1/namespaces', '/v1/namespace/', '/v1/regions'),
  fc.constantFrom(
    '/v1/job/alpha/versions',
    '/v1/job/alpha/allocations',
    '/v1/evaluation/',
    '/v1/allocation/',
  ),
  fc.webPath(),
);

describe('any request', () => {
  it('gets a documented response', async () => {
    const request = fc.record({
      path,
      id: fc.oneof(fc.constant(''), text),
      query: fc.array(fc.tuple(name, text, fc.boolean()), { maxLength: 6 }),
      method: fc.constantFrom('GET', 'GET', 'GET', 'PUT', 'DELETE'),
      gzip: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path: base, id, query, method, gzip }) => {
        const pairs = query.map(([key, value, raw]) =>
          raw
            ? `${encodeURIComponent(key)}=${encodeURI(value)}`
            : new URLSearchParams([[key, value]]).toString(),
        );
        const url = `${base}${id === '' ? '' : encodeURIComponent(id)}?${pairs.join('&')}`;
        const response = await call(agent, url, {
          method,
          headers: gzip ? { 'accept-encoding': 'gzip' } : {},
        });
        expect([200, 307, 400, 404, 405]).toContain(response.status);
        expect(response.headers['vary']).toBe('Accept-Encoding');
        if (response.status === 200 && !gzip)
          expect(() => JSON.parse(response.text) as unknown).not.toThrow();
        if (response.status === 400)
          expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
        expect(agent.blocking.waiting).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it('registering takes a job or refuses it, and the lists go on', async () => {
    const field = fc.constantFrom(
      'ID',
      'Type',
      'Priority',
      'Datacenters',
      'TaskGroups',
      'Meta',
      'Periodic',
      'Update',
      'Constraints',
      'Stop',
      'Payload',
      'SubmitTime',
      'Namespace',
      'Region',
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(null, 'batch', 50, ['dc1'], { a: 'b' }, [
        { Name: 'g', Tasks: [{ Name: 't', Driver: 'exec' }] },
      ]),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, value), async (fields) => {
        const { tables, index } = agent.state.snapshot();
        const response = await call(agent, '/v1/jobs', {
          method: 'PUT',
          body: { Job: { ...minimalJob('fuzz'), ...fields } },
        });
        if (response.status === 200) {
          const { Index } = response.json() as { Index: number };
          expect(agent.state.snapshot().index).toBe(Index);
        } else {
          // Job.Region may name another region.
          expect([400, response.text === 'No path to region' ? 500 : 400]).toContain(response.status);
          expect(agent.state.snapshot()).toMatchObject({ index });
          expect(agent.state.snapshot().tables).toBe(tables);
        }
        expect(
          (
            await call(
              agent,
              '/v1/jobs?namespace=*&filter=any%20TaskGroups%20as%20g%20%7B%20g.Count%20%3D%3D%201%20%7D',
            )
          ).status,
        ).toBe(200);
      }),
      { numRuns: 300 },
    );
  });
});
