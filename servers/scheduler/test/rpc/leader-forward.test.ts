import { fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent.js';
import { describeFailure } from '../../src/requests/failure.js';
import { createLeaderForward } from '../../src/rpc/forward.js';
import { createRpcClient } from '../../src/rpc/rpc-client.js';
import { minimalJob } from '../support/base-cluster.js';
import { createTestAgent } from '../support/test-agent.js';

const open = new Set<{ close(): unknown }>();
afterEach(async () => {
  for (const one of open) await one.close();
  open.clear();
});

/** A server that passes everything on to a leader at an address. */
function follower(address: string) {
  const client = createRpcClient(null);
  const toLeader = createLeaderForward(client);
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body);
  app.setErrorHandler((error, _request, reply) => {
    const { status, text } = describeFailure(error);
    return reply.code(status).send(text);
  });
  app.all('*', async (request, reply) => {
    const { signal } = new AbortController();
    return toLeader({ name: 'other.global', address }, { request, reply, signal });
  });
  open.add(app).add(client);
  return app;
}

async function startLeader(): Promise<Agent> {
  const agent = await createTestAgent();
  open.add(agent);
  await agent.listen();
  return agent;
}

describe('a request that is for the leader', () => {
  it('is answered by it, in its words', async () => {
    const leader = await startLeader();
    const app = follower(leader.rpcAddress());
    const written = await app.inject({
      method: 'PUT',
      url: '/v1/jobs',
      payload: JSON.stringify({ Job: minimalJob('far') }),
    });
    expect([written.statusCode, written.headers['x-scheduler-index']]).toEqual([200, '2']);
    expect(leader.state.snapshot().tables.jobs.primary.size).toBe(1);
    expect((await app.inject('/v1/job/far')).json()).toMatchObject({ ID: 'far' });
    const missing = await app.inject('/v1/job/near');
    expect([missing.statusCode, missing.body]).toEqual([404, 'job not found']);
  });

  it.each([
    ['GET', 'The leader was lost before it answered'],
    ['PUT', 'The leader was lost before it answered: the write may have happened or not'],
  ] as const)('that is not there any more, by %s: %s', async (method, text) => {
    const answer = await follower('127.0.0.1:1').inject({ method, url: '/v1/jobs' });
    expect([answer.statusCode, answer.body]).toEqual([500, text]);
  });
});
