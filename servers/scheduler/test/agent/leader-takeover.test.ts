import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLeaderTakeover, type LeaderTakeover } from '../../src/agent/leader-takeover.js';
import type { Leader } from '@tamis/scheduler-state/cluster/leadership.js';
import { dial, DialError } from '@tamis/scheduler-model/host/dial.js';
import { systemClock } from '@tamis/http';
import { until } from '../../../scheduler-model/test/support/until.js';

/** A port that takes connections, as the RPC port of a leader does. */
interface Port {
  readonly address: string;
  readonly connections: Set<Socket>;
  /** Ends it with all connections, as the death of its process would. */
  die(): Promise<void>;
}

const opened: Server[] = [];

async function openPort(port = 0): Promise<Port> {
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => undefined).on('close', () => connections.delete(socket));
  }).listen(port, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async die() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of connections) socket.resetAndDestroy();
      await closed;
    },
  };
}

describe('the takeover from a leader that has died', () => {
  const removed: string[] = [];
  const reported: string[] = [];
  let listener = (): void => undefined;
  let leader: Leader = { location: 'nobody' };
  let takeover: LeaderTakeover;
  let refusal: Error | null = null;
  let refused = 0;
  let dialled = 0;
  let fault: Error | null = null;

  function elect(term: number, address: string, location: 'here' | 'there' = 'there'): void {
    leader = { location, server: { name: 'x', address }, term };
    listener();
  }

  function start(): void {
    takeover = createLeaderTakeover({
      clock: systemClock,
      async dial(address) {
        dialled += 1;
        if (fault !== null) throw fault;
        return dial(address);
      },
      election: {
        current: () => leader,
        subscribe(own) {
          listener = own;
          return () => undefined;
        },
        async removeLeader(term) {
          if (refusal !== null) {
            refused += 1;
            throw refusal;
          }
          removed.push(String(term));
        },
      },
      removed: ({ term }, error) =>
        reported.push(`${term} ${error === null ? '' : (error as Error).message}`),
    });
  }

  afterEach(() => {
    takeover.close();
    for (const server of opened.splice(0)) server.close();
    removed.length = reported.length = dialled = refused = 0;
    [leader, refusal, fault] = [{ location: 'nobody' }, null, null];
  });

  it('removes it in its own term when its port refuses', async () => {
    const port = await openPort();
    start();
    elect(7, port.address);
    await until(() => port.connections.size === 1);
    await port.die();
    await until(() => removed.length > 0);
    expect([removed[0], reported[0]]).toEqual(['7', '7 ']);
  });

  it('continues if it fails, and logs each reason once', async () => {
    const port = await openPort();
    refusal = new Error('no space');
    start();
    elect(7, port.address);
    await until(() => port.connections.size === 1);
    await port.die();
    await until(() => refused >= 3);
    refusal = new Error('no contact');
    await until(() => reported.includes('7 no contact'));
    refusal = null;
    await until(() => reported.length >= 3);
    expect(reported.slice(0, 3)).toEqual(['7 no space', '7 no contact', '7 ']);
  });

  it('leaves one alone that was never reached', async () => {
    const port = await openPort();
    await port.die();
    start();
    elect(7, port.address);
    await until(() => dialled >= 3);
    expect(removed).toEqual([]);
  });

  it('leaves one alone that takes another connection', async () => {
    const port = await openPort();
    start();
    elect(7, port.address);
    await until(() => port.connections.size === 1);
    for (const socket of port.connections) socket.resetAndDestroy();
    await until(() => dialled >= 2 && port.connections.size === 1);
    expect(removed).toEqual([]);
  });

  it('skips a server that does not respond', async () => {
    const port = await openPort();
    start();
    elect(7, port.address);
    await until(() => port.connections.size === 1);
    fault = new DialError('dial tcp: i/o timeout');
    await port.die();
    await until(() => dialled >= 3);
    expect(removed).toEqual([]);
  });

  it('watches the next leader, not the one before, and never itself', async () => {
    const [first, second] = [await openPort(), await openPort()];
    start();
    elect(7, first.address);
    await until(() => first.connections.size === 1);
    elect(8, second.address);
    await until(() => first.connections.size === 0 && second.connections.size === 1);
    await first.die();
    elect(9, second.address, 'here');
    await until(() => second.connections.size === 0);
    await second.die();
    expect([removed, dialled]).toEqual([[], 2]);
  });
});
