import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { serveReverseRequests } from '../../src/rpc/reverse-handler.js';
import {
  createNodeConnections,
  defaultNodeConnectionLimits,
  type NodeConnections,
} from '../../src/rpc/node-connections.js';
import type { NodeIdConflict } from '../../src/rpc/node-id-conflict.js';
import { jsonResponse, type AgentService } from '@tamis/scheduler-model/host/agent-service.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** The two ends of a connection. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const here = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [there] = (await once(server, 'connection')) as [Socket];
  for (const socket of [here, there]) socket.on('error', () => socket.destroy());
  sockets.push(here, there);
  return [here, there];
}

const echo: AgentService = async ({ path, parameters }) =>
  jsonResponse(JSON.stringify([path, Object.fromEntries(parameters)]));
const never = new AbortController().signal;

async function textOf(body: unknown): Promise<string> {
  let text = '';
  for await (const chunk of body as AsyncIterable<Buffer>) text += chunk.toString();
  return text;
}

describe('the connections of nodes', () => {
  it('carry paths and parameters as they are', async () => {
    const nodes = createNodeConnections(createFakeClock());
    const [here, there] = await pair();
    serveReverseRequests(there, echo);
    nodes.add('n', here);
    const parameters = new Map([
      ['a b', ['1&2', '', 'ü']],
      ['c', ['=']],
    ]);
    const response = await nodes.service('n')({ path: 'pprof/a/b%2F c?', parameters }, never);
    expect(response.status).toBe(200);
    expect(JSON.parse(await textOf(response.body))).toEqual([
      'pprof/a/b%2F c?',
      { 'a b': ['1&2', '', 'ü'], c: ['='] },
    ]);
    nodes.close();
  });

  it('of a silent node end, together with their requests', async () => {
    const clock = createFakeClock();
    const nodes = createNodeConnections(clock);
    const [here] = await pair();
    nodes.add('n', here);
    const requests = nodes.service('n')({ path: 'host', parameters: new Map() }, never);
    const refused = expect(requests).rejects.toMatchObject({ code: 'unreachable' });
    clock.advance(defaultNodeConnectionLimits.pingTimeout);
    await refused;
    while (nodes.count > 0) await turn();
    expect(() => nodes.service('n')).toThrow('Unknown node "n"');
    expect(clock.pending).toBe(0);
  });

  it('keep a live node connected, however slow its response', async () => {
    const clock = createFakeClock();
    const nodes = createNodeConnections(clock);
    const [here, there] = await pair();
    let requests = 0;
    serveReverseRequests(there, async (params, signal) => {
      if (params.path !== 'slow') return echo(params, signal);
      requests += 1;
      return new Promise(() => undefined);
    });
    nodes.add('n', here);
    const slow = nodes.service('n')({ path: 'slow', parameters: new Map() }, never);
    const refused = expect(slow).rejects.toMatchObject({ code: 'unreachable' });
    while (requests === 0) await turn();
    // The heartbeat comes before the response to a later request.
    await textOf((await nodes.service('n')({ path: 'host', parameters: new Map() }, never)).body);
    clock.advance(defaultNodeConnectionLimits.pingTimeout);
    expect(nodes.count).toBe(1);
    clock.advance(defaultNodeConnectionLimits.responseTimeout);
    await refused;
    expect(nodes.count).toBe(1);
    nodes.close();
  });

  it('of two clients with one ID end each other, which is logged once a minute', async () => {
    const clock = createFakeClock();
    const reported: NodeIdConflict[] = [];
    const nodes = createNodeConnections(clock, defaultNodeConnectionLimits, (rivals) =>
      reported.push(rivals),
    );
    const [[, first], [, second]] = [await pair(), await pair()];
    nodes.add('n', first);
    // One that comes back replaces what it has lost.
    nodes.add('n', second);
    expect(reported).toEqual([]);
    let ended = '';
    async function replace(): Promise<NodeIdConflict> {
      const [, next] = await pair();
      const retained = `127.0.0.1:${next.remotePort}`;
      nodes.add('n', next);
      const rivals = { node: 'n', retained, ended };
      ended = retained;
      return rivals;
    }
    await replace();
    const third = await replace();
    for (let count = 0; count < 5; count += 1) await replace();
    expect(reported).toEqual([third]);
    clock.advance(60_000);
    for (let count = 0; count < 5; count += 1) await replace();
    expect(reported).toHaveLength(2);
    expect(nodes.count).toBe(1);
    nodes.close();
  });

  it('are no more than the limit, and a node has one', async () => {
    const nodes = createNodeConnections(createFakeClock(), { ...defaultNodeConnectionLimits, maxNodes: 1 });
    const [[first], [again], [other]] = [await pair(), await pair(), await pair()];
    nodes.add('n', first);
    nodes.add('n', again);
    expect(nodes.count).toBe(1);
    await until(() => first.closed);
    nodes.add('m', other);
    expect([nodes.count, other.destroyed, again.destroyed]).toEqual([1, true, false]);
    nodes.close();
    expect(nodes.count).toBe(0);
  });

  it.each<[how: string, end: (nodes: NodeConnections, clock: FakeClock) => Promise<void>]>([
    [
      'replaced',
      async (nodes) => {
        const [again] = await pair();
        nodes.add('n', again);
        expect(nodes.count).toBe(1);
        nodes.close();
      },
    ],
    ['closed', async (nodes) => nodes.close()],
    [
      'given up',
      async (nodes, clock) => {
        const requests = nodes.service('n')({ path: 'host', parameters: new Map() }, never);
        const refused = expect(requests).rejects.toMatchObject({ code: 'unreachable' });
        clock.advance(defaultNodeConnectionLimits.pingTimeout);
        await refused;
      },
    ],
  ])('can be %s whatever state they are in', async (_how, end) => {
    for (const isLeft of [false, true]) {
      const clock = createFakeClock();
      const nodes = createNodeConnections(clock);
      let isWriting = false;
      // Neither its writes nor its end are ever done.
      const stuck = new Duplex({
        read: () => undefined,
        write(_chunk, _encoding, done: () => void) {
          isWriting = true;
          if (isLeft) done();
        },
        final: () => undefined,
      });
      nodes.add('n', stuck as Socket);
      await until(() => isWriting);
      if (isLeft) {
        stuck.push(null);
        await once(stuck, 'end');
      }
      if (nodes.count > 0) await end(nodes, clock);
      await until(() => stuck.destroyed && nodes.count === 0);
      expect(() => nodes.service('n')).toThrow('Unknown node "n"');
    }
  });

  it('bring no pages: what a node says it is, is data', async () => {
    const nodes = createNodeConnections(createFakeClock());
    const types = [
      ['text/html', 'application/octet-stream'],
      ['image/svg+xml', 'application/octet-stream'],
      ['text/plain;\ttext/html', 'application/octet-stream'],
      ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
      ['application/json', 'application/json'],
      ['application/octet-stream', 'application/octet-stream'],
    ] as const;
    for (const [given, printed] of types) {
      const [here, there] = await pair();
      serveReverseRequests(there, async () => ({
        status: 200,
        headers: new Map([
          ['content-type', given],
          ['set-cookie', 'a=b'],
        ]),
        body: '<script>',
      }));
      nodes.add('n', here);
      const { headers } = await nodes.service('n')({ path: 'host', parameters: new Map() }, never);
      expect([...headers]).toEqual([['content-type', printed]]);
    }
    nodes.close();
  });

  it('may come one after another, from one node or several that claim its name', async () => {
    const nodes = createNodeConnections(createFakeClock());
    for (let count = 0; count < 200; count += 1) {
      const [here, there] = await pair();
      nodes.add('n', here);
      for (let turns = count % 7; turns > 0; turns -= 1) await turn();
      there.end();
      for (let turns = count % 5; turns > 0; turns -= 1) await turn();
    }
    nodes.close();
    expect(nodes.count).toBe(0);
  });

  it('forward the error of a request, and no internal faults', async () => {
    const nodes = createNodeConnections(createFakeClock());
    const [here, there] = await pair();
    serveReverseRequests(there, async () => {
      throw new Error('a secret of this node');
    });
    nodes.add('n', here);
    const requests = nodes.service('n')({ path: 'host', parameters: new Map() }, never);
    await expect(requests).rejects.toThrow('rpc error: the node has hung up');
    nodes.close();
  });
});
