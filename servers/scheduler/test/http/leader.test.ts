import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, createTestAgent, type TestResponse } from '../support/test-agent.js';

/** The response of a server without a leader, once the time for an election has passed, and not before. */
async function sendLater(path: string, init: { method?: string; body?: unknown }): Promise<TestResponse> {
  const clock = createFakeClock();
  const agent = await createTestAgent({ clock, config: { bootstrapExpect: 3 } });
  const idle = clock.pending;
  const requests = call(agent, path, init);
  while (clock.pending === idle) await nextTurn();
  clock.advance(4_999);
  expect(clock.pending).toBe(idle + 1);
  clock.advance(1);
  expect(clock.pending).toBe(idle);
  return requests;
}

describe('a server that waits for others', () => {
  it.each<[method: string, path: string, body?: unknown]>([
    ['GET', '/v1/jobs'],
    ['GET', '/v1/job/web'],
    ['GET', '/v1/job/web/versions'],
    ['GET', '/v1/jobs?index=7&wait=1m'],
    ['PUT', '/v1/jobs', { Job: minimalJob('web') }],
    ['PUT', '/v1/jobs?stale', { Job: minimalJob('web') }],
    ['DELETE', '/v1/job/web'],
    ['PUT', '/v1/namespace/apps', {}],
    ['DELETE', '/v1/namespace/apps'],
  ])('refuses %s %s after five seconds', async (method, path, body) => {
    const response = await sendLater(path, { method, body });
    expect([response.status, response.text]).toEqual([500, 'No cluster leader']);
    expect(response.headers).not.toHaveProperty('x-scheduler-index');
  });

  it('serves stale reads, and reports that it knows no leader', async () => {
    const clock = createFakeClock();
    const agent = await createTestAgent({ clock, config: { bootstrapExpect: 3 } });
    clock.advance(1_234);
    for (const path of ['/v1/jobs?stale', '/v1/job/web?stale=true']) {
      expect((await call(agent, path)).headers).toMatchObject({
        'x-scheduler-index': '1',
        'x-scheduler-knownleader': 'false',
        'x-scheduler-lastcontact': '1234',
      });
    }
    expect((await call(agent, '/v1/status/leader')).text).toBe('""');
  });

  it.each([
    ['GET', '/v1/jobs?wait=5', 'Invalid wait time'],
    ['GET', '/v1/jobs?filter=Statu==x', 'failed to read result page'],
    ['GET', '/v1/nodes?filter=Name==x&prefix=y', 'Filter expression cannot be used'],
    ['GET', '/v1/job/web/allocations?resources=x', 'Failed to parse value of "resources"'],
    ['PUT', '/v1/jobs', 'Request body is empty'],
  ])('refuses what is wrong anyway at once: %s %s', async (method, path, text) => {
    const agent = await createTestAgent({ config: { bootstrapExpect: 3 } });
    const response = await call(agent, path, { method });
    expect([response.status, response.text.startsWith(text)]).toEqual([400, true]);
  });

  it('releases all waiting clients when it is closed', async () => {
    const clock = createFakeClock();
    const agent = await createTestAgent({ clock, config: { bootstrapExpect: 3 } });
    const requests = call(agent, '/v1/jobs');
    while (clock.pending === 0) await nextTurn();
    await agent.close();
    expect((await requests).text).toBe('No cluster leader');
    expect(clock.pending).toBe(0);
  });
});

describe('the cluster', () => {
  it.each<[path: string, bind: string, text: string]>([
    ['/v1/status/leader', '127.0.0.1', '"127.0.0.1:4647"'],
    ['/v1/status/leader', 'localhost', '"127.0.0.1:4647"'],
    ['/v1/status/leader', '::1', '"[::1]:4647"'],
    ['/v1/status/peers', '127.0.0.1', '["127.0.0.1:4647"]'],
    ['/v1/regions', '127.0.0.1', '["global"]'],
    ['/v1/regions?pretty', '127.0.0.1', '[\n    "global"\n]\n'],
  ])('GET %s on %s', async (path, bind, text) => {
    const response = await call(await createBaseAgent({ config: { bind, rpcPort: 4647 } }), path);
    expect([response.status, response.text]).toEqual([200, text]);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers).not.toHaveProperty('x-scheduler-index');
  });

  it('another region has no path', async () => {
    const response = await call(await createTestAgent(), '/v1/status/leader?region=nope');
    expect([response.status, response.text]).toEqual([500, 'No path to region']);
  });
});
