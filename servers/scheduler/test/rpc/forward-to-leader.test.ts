import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify, type LightMyRequestResponse } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createLeadership, type AnnouncedLeadership } from '@tamis/scheduler-state/cluster/leadership.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { disconnectSignal } from '../../src/api/kernel/request.js';
import { describeFailure } from '../../src/api/kernel/requests/failure.js';
import { createLeaderRelay } from '../../src/rpc/call-leader.js';
import { rpcPaths } from '../../src/rpc/protocol.js';
import { createRpcClient } from '../../src/rpc/rpc-client.js';
import { minimalJob } from '../support/base-cluster.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { createTestAgent } from '../support/test-agent.js';

const open = new Set<{ close(): unknown }>();
afterEach(async () => {
  for (const one of open) await one.close();
  open.clear();
});

interface Follower {
  readonly app: ReturnType<typeof fastify>;
  readonly clock: FakeClock;
  readonly leadership: AnnouncedLeadership;
  /** The indexes that it has been requested to reach. */
  readonly awaited: number[];
  lead(): void;
  follow(address: string, term?: number): void;
}

/** A server that lets the leader handle everything. `here` is what it does if it leads itself. */
function follower({
  here = async () => 'here',
  applies = true,
}: { here?: () => Promise<string>; applies?: boolean } = {}): Follower {
  const client = createRpcClient(null);
  const clock = createFakeClock();
  const leadership = createLeadership(clock);
  const awaited: number[] = [];
  const state = {
    reached: async (index: number) => {
      awaited.push(index);
      return applies;
    },
  };
  const callLeader = createLeaderRelay({ client, clock, leadership, state })(rpcPaths.http);
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string) => body);
  app.setErrorHandler((error, _request, reply) => {
    const { status, text } = describeFailure(error);
    return reply.code(status).send(text);
  });
  app.all('*', async (request, reply) => {
    const response = await callLeader({ request, reply, signal: disconnectSignal(reply) }, here);
    return response === null ? reply : reply.send(response);
  });
  open.add(app).add(client);
  return {
    ...{ app, clock, leadership, awaited },
    lead: () => leadership.announce({ location: 'here', server: { name: 'own', address: '' }, term: 9 }),
    follow: (address, term = 1) =>
      leadership.announce({ location: 'there', server: { name: `other ${term}`, address }, term }),
  };
}

async function startLeader(config = {}): Promise<Agent> {
  const agent = await createTestAgent({ config });
  open.add(agent);
  await agent.listen();
  return agent;
}

/** A leader with responses controlled by the test. */
async function listen(response: RequestListener): Promise<string> {
  const server: HttpServer = createServer(response);
  open.add({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const unreachable = '127.0.0.1:1';
const lost =
  'The leader was lost before it responded: the write may have happened or not, look before it is sent again';

/** The response to a request, with the clock moved on in small steps as often as necessary. */
async function settle(
  clock: FakeClock,
  requests: Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse> {
  let isSettled = false;
  const end = (): void => void (isSettled = true);
  void requests.then(end, end);
  while (!isSettled) {
    await nextTurn();
    clock.advance(10);
  }
  return requests;
}

describe('a request that is for the leader', () => {
  it('is served by it, in its words, when its write has arrived here', async () => {
    const leader = await startLeader();
    const { app, awaited, follow } = follower();
    follow(leader.rpcAddress());
    const written = await app.inject({
      method: 'PUT',
      url: '/v1/jobs',
      payload: JSON.stringify({ Job: minimalJob('far') }),
    });
    expect([written.statusCode, written.headers['x-scheduler-index']]).toEqual([200, '2']);
    expect(awaited).toEqual([2]);
    expect(leader.state.snapshot().tables.jobs.primary.size).toBe(1);
    const refused = await app.inject({ method: 'PUT', url: '/v1/jobs', payload: '{}' });
    expect([refused.statusCode, refused.body]).toEqual([400, 'Job must be specified']);
    expect(awaited).toEqual([2]);
  });

  it('does not succeed while the write has not arrived here', async () => {
    const leader = await startLeader();
    const { app, follow } = follower({ applies: false });
    follow(leader.rpcAddress());
    const response = await app.inject({ method: 'PUT', url: '/v1/namespace/apps', payload: '{}' });
    expect([response.statusCode, response.body]).toEqual([
      500,
      'The leader has stored the write at index 2, and this server has not heard of it yet: look before it is sent again',
    ]);
  });

  it.each<[name: string, begin: (server: Follower) => void]>([
    ['there is no leader', () => undefined],
    ['the leader refuses the connection', ({ follow }) => follow(unreachable)],
  ])('is held while %s, and served by the next one', async (_name, begin) => {
    const leader = await startLeader();
    const server = follower();
    begin(server);
    const requests = server.app.inject({ method: 'PUT', url: '/v1/namespace/apps', payload: '{}' });
    while (server.clock.pending === 0) await nextTurn();
    server.follow(leader.rpcAddress(), 2);
    expect((await settle(server.clock, requests)).statusCode).toBe(200);
  });

  it('is held while the leader says that it leads no more', async () => {
    const old = await startLeader({ bootstrapExpect: 3 });
    const leader = await startLeader();
    const server = follower();
    server.follow(old.rpcAddress());
    const requests = server.app.inject({ method: 'PUT', url: '/v1/namespace/apps', payload: '{}' });
    while (server.clock.pending === 0) await nextTurn();
    server.follow(leader.rpcAddress(), 2);
    expect((await settle(server.clock, requests)).statusCode).toBe(200);
  });

  it('is served here if this server is elected meanwhile', async () => {
    const server = follower();
    server.follow(unreachable);
    const requests = server.app.inject({ method: 'PUT', url: '/' });
    while (server.clock.pending === 0) await nextTurn();
    server.lead();
    expect((await settle(server.clock, requests)).body).toBe('here');
  });

  it('is done again by the next leader where this one ceased to lead before it did anything', async () => {
    const leader = await startLeader();
    const server = follower({
      here: async () => {
        server.follow(leader.rpcAddress(), 10);
        throw new SchedulerError('no-leader', 'No cluster leader');
      },
    });
    server.lead();
    const requests = server.app.inject({ method: 'PUT', url: '/v1/namespace/apps', payload: '{}' });
    expect((await settle(server.clock, requests)).statusCode).toBe(200);
  });

  it.each<[name: string, begin: (server: Follower) => void]>([
    ['has no leader', () => undefined],
    ['cannot reach it', ({ follow }) => follow(unreachable)],
  ])('ends after five seconds where the server %s', async (_name, begin) => {
    const server = follower();
    begin(server);
    const start = server.clock.now();
    const response = await settle(server.clock, server.app.inject({ method: 'PUT', url: '/' }));
    expect([response.statusCode, response.body]).toEqual([500, 'No cluster leader']);
    expect(server.clock.now() - start).toBeGreaterThanOrEqual(5_000);
  });

  it('has an unknown outcome when the leader is lost with it', async () => {
    let requests = 0;
    const address = await listen((request) => {
      requests += 1;
      request.socket.destroy();
    });
    const { app, follow } = follower();
    follow(address);
    const response = await app.inject({ method: 'PUT', url: '/v1/jobs', payload: '{}' });
    expect([response.statusCode, response.body, requests]).toEqual([500, lost, 1]);
  });

  it.each<[name: string, milliseconds: number, change: (server: Follower) => void]>([
    ['the leader does not answer', 10_000, () => undefined],
    ['another takes its place', 1_000, ({ follow }) => follow(unreachable, 2)],
  ])('has an unknown outcome when %s', async (_name, milliseconds, change) => {
    let isHeard = false;
    const address = await listen(() => (isHeard = true));
    const server = follower();
    server.follow(address);
    const requests = server.app.inject({ method: 'PUT', url: '/v1/jobs', payload: '{}' });
    while (!isHeard) await nextTurn();
    change(server);
    server.clock.advance(milliseconds);
    expect((await requests).body).toBe(lost);
  });

  it('is passed on once', async () => {
    const server = follower();
    server.follow(unreachable);
    const headers = { 'x-scheduler-from-server': '1' };
    const response = await server.app.inject({ method: 'PUT', url: '/', headers });
    expect([response.statusCode, response.body]).toEqual([421, 'This server does not lead']);
    server.lead();
    expect((await server.app.inject({ method: 'PUT', url: '/', headers })).body).toBe('here');
  });
});
