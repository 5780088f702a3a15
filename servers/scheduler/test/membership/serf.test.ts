import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { decodeMultiStream, encode } from '@msgpack/msgpack';
import { afterEach, describe, expect, it } from 'vitest';
import { createSerfMembership } from '../../src/services/membership/serf.js';
import type { SerfLinkOptions } from '../../src/services/membership/serf-link.js';
import type { Membership } from '../../src/services/membership/membership.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

type Body = Readonly<Record<string, unknown>>;
interface Command {
  readonly Command: string;
  readonly Seq: number;
}

/** Serf sends texts in the form of bytes that are no text. */
const text = (value: string): Uint8Array => Buffer.from(value);

/** Which commands have a body, and the responses to them: an error, and a body if there is one. */
type Script = (
  command: string,
  body: Body | null,
) => readonly [error: string, body?: Body] | 'nothing' | 'hang up';

const withBody = new Set(['handshake', 'auth', 'tags', 'stream', 'join', 'force-leave']);

function member(name: string, addr: readonly number[], status = 'alive'): Body {
  return {
    Name: text(name),
    Addr: Buffer.from(addr),
    Port: 4648,
    Tags: { role: text('scheduler') },
    Status: text(status),
    ProtocolMin: 1,
    ProtocolMax: 5,
    ProtocolCur: 2,
    DelegateMin: 2,
    DelegateMax: 5,
    DelegateCur: 4,
  };
}

const calm: Script = (command) => {
  switch (command) {
    case 'stats':
      return ['', { agent: { name: text('srv1.global') }, serf: { members: text('1') } }];
    case 'members':
      return ['', { Members: [member('srv1.global', [10, 0, 0, 1])] }];
    case 'join':
      return ['', { Num: 1 }];
    default:
      return [''];
  }
};

interface FakeSerf {
  readonly address: string;
  /** The commands that have come, with their bodies. */
  readonly seen: (readonly [command: string, body: Body | null])[];
  readonly sockets: Set<Socket>;
  script: Script;
  /** Sends objects to everybody who is connected. */
  send(...objects: Body[]): void;
}

const servers: Server[] = [];
const memberships: Membership[] = [];
afterEach(async () => {
  for (const membership of memberships.splice(0)) await membership.close();
  for (const server of servers.splice(0)) server.close();
});

async function startFake(script: Script): Promise<FakeSerf> {
  const seen: FakeSerf['seen'] = [];
  const sockets: FakeSerf['sockets'] = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    void serve(socket).catch(() => socket.destroy());
  });
  async function serve(socket: Socket): Promise<void> {
    let header: Command | null = null;
    for await (const object of decodeMultiStream(socket)) {
      if (header === null) header = object as Command;
      const body = header === object ? null : (object as Body);
      if (body === null && withBody.has(header.Command)) continue;
      const { Command, Seq } = header;
      header = null;
      seen.push([Command, body]);
      const response = fake.script(Command, body);
      if (response === 'hang up') socket.destroy();
      if (typeof response === 'string') continue;
      socket.write(encode({ Seq, Error: text(response[0]) }));
      if (response[1] !== undefined) socket.write(encode(response[1]));
    }
  }
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeSerf = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    sockets,
    script,
    send: (...objects) => {
      for (const socket of sockets) for (const object of objects) socket.write(encode(object));
    },
  };
  return fake;
}

function open(
  rpcAddress: string,
  options: Partial<SerfLinkOptions> = {},
): { membership: Membership; clock: FakeClock; notices: string[] } {
  const clock = createFakeClock();
  const notices: string[] = [];
  const membership = createSerfMembership({
    rpcAddress,
    authKey: null,
    tags: () => ({ role: 'scheduler' }),
    clock,
    random: () => 0.5,
    onNotice: (notice, error) => void notices.push(error === null ? notice : `${notice}: ${String(error)}`),
    ...options,
  });
  memberships.push(membership);
  return { membership, clock, notices };
}

describe('a Serf agent', () => {
  it('receives the caller, and returns its name and its members', async () => {
    const fake = await startFake(calm);
    const { membership, notices } = open(fake.address, { authKey: 'key' });
    await membership.start();
    expect(fake.seen).toEqual([
      ['handshake', { Version: 1 }],
      ['auth', { AuthKey: 'key' }],
      ['stats', null],
      ['tags', { Tags: { role: 'scheduler' }, DeleteTags: [] }],
      ['stream', { Type: 'member-join,member-leave,member-failed,member-update,member-reap' }],
      ['members', null],
    ]);
    expect(notices).toEqual(['connected to the Serf agent srv1.global']);
    expect(membership.self()).toMatchObject({ Name: 'srv1.global', Addr: '10.0.0.1' });
    expect(await membership.stats()).toEqual({ members: '1', connected: 'true', source: 'serf' });
  });

  it.each<[command: string, error: string]>([
    ['auth', 'Invalid authentication token'],
    ['handshake', 'Version already set'],
    ['stats', 'Authentication required'],
  ])('that refuses %s is not used, and the key stays out of what is said', async (refused, error) => {
    const fake = await startFake((command, body) => (command === refused ? [error] : calm(command, body)));
    const { membership, notices } = open(fake.address, { authKey: 'very-secret' });
    await membership.start();
    expect(notices).toEqual([`the Serf agent cannot be reached, trying again: SerfError: ${error}`]);
    await expect(membership.members()).rejects.toMatchObject({ code: 'no-members' });
  });

  it('that does not take the tags is used without them', async () => {
    const fake = await startFake((command, body) =>
      command === 'tags' ? ['too long'] : calm(command, body),
    );
    const { membership, notices } = open(fake.address);
    await membership.start();
    expect(notices).toEqual([
      'the Serf agent does not take the tags: SerfError: too long',
      'connected to the Serf agent srv1.global',
    ]);
  });

  it('reports all details of its members, for any form of their addresses', async () => {
    const v6 = [0xfe, 0x80, ...Array<number>(13).fill(0), 1];
    const mapped = [...Array<number>(10).fill(0), 255, 255, 192, 168, 0, 200];
    const fake = await startFake((command, body) =>
      command === 'members'
        ? ['', { Members: [member('c', v6, 'left'), member('b', mapped, 'odd'), member('a', [1, 2, 3])] }]
        : calm(command, body),
    );
    const { membership } = open(fake.address);
    await membership.start();
    expect((await membership.members()).map(({ Name, Addr, Status }) => [Name, Addr, Status])).toEqual([
      ['a', '', 'alive'],
      ['b', '192.168.0.200', 'none'],
      ['c', 'fe80::1', 'left'],
    ]);
  });

  it('reports events', async () => {
    const fake = await startFake(calm);
    const { membership } = open(fake.address);
    await membership.start();
    const events: string[] = [];
    const done = new Promise<void>((resolve) => {
      membership.subscribe(({ kind, member: { Name, Status } }) => {
        events.push(`${kind} ${Name} ${Status}`);
        if (kind === 'reap') resolve();
      });
    });
    const Seq = 4;
    const header = { Seq, Error: text('') };
    const event = (name: string, ...Members: Body[]): Body => ({ Event: text(name), Members });
    fake.send(
      ...[header, event('member-join', member('x', [1, 1, 1, 1]), member('y', [1, 1, 1, 2]))],
      ...[header, event('user')],
      ...[header, event('member-failed', member('x', [1, 1, 1, 1], 'failed'))],
      ...[header, event('member-reap', member('x', [1, 1, 1, 1], 'left'))],
    );
    await done;
    expect(events).toEqual(['join x alive', 'join y alive', 'failed x failed', 'reap x left']);
  });

  it('joins, leaves and prunes on request', async () => {
    const fake = await startFake((command, body) =>
      command === 'join'
        ? ['2 errors occurred:\n\t* Failed to join 10.0.0.1: dial tcp\n\t* x\n\n', { Num: 0 }]
        : calm(command, body),
    );
    const { membership } = open(fake.address);
    await membership.start();
    expect(await membership.join(['10.0.0.1', '[::1]:7'])).toEqual({
      joined: 0,
      failures: ['failed to join 10.0.0.1: dial tcp', 'x'],
    });
    await membership.forceLeave('srv2.global', true);
    expect(fake.seen.slice(-2)).toEqual([
      ['join', { Existing: ['10.0.0.1:4648', '[::1]:7'], Replay: false }],
      ['force-leave', { Node: 'srv2.global', Prune: true }],
    ]);
  });
});

describe('the connection to a Serf agent', () => {
  it('is made again when it is lost, and the members that were known stay', async () => {
    const fake = await startFake(calm);
    const { membership, clock, notices } = open(fake.address);
    await membership.start();
    for (const socket of fake.sockets) socket.destroy();
    await expect.poll(() => notices.at(-1)).toBe('the connection to the Serf agent is lost');
    expect(await membership.members()).toHaveLength(1);
    await expect(membership.forceLeave('x', false)).rejects.toMatchObject({ code: 'no-members' });
    clock.advance(250);
    await expect.poll(() => notices.at(-1)).toBe('connected to the Serf agent srv1.global');
    await membership.forceLeave('x', false);
  });

  it('is tried ever more rarely, and complained about once', async () => {
    const { membership, clock, notices } = open('127.0.0.1:1');
    await membership.start();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      let pause = 0;
      while (clock.pending > 0) {
        clock.advance(125);
        pause += 125;
      }
      pauses.push(pause);
      await expect.poll(() => clock.pending).toBe(1);
    }
    expect(pauses).toEqual([375, 750, 1_500, 3_000, 6_000, 7_500, 7_500, 7_500, 7_500]);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('dial tcp 127.0.0.1:1: connect: connection refused');
  });

  it.each<[what: string, bytes: Uint8Array]>([
    ['text', text('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a number', encode(7)],
    ['a list that is too long', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ['a text that is too long', Uint8Array.of(0xdb, 0xff, 0xff, 0xff, 0xff)],
    ['bytes that mean nothing', Uint8Array.of(0xc1)],
  ])('ends when there is no Serf at the address: %s', async (_what, bytes) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.write(bytes);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { membership, notices } = open(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    await membership.start();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('the Serf agent cannot be reached, trying again: SerfError: ');
  });

  it('does not wait for ever', async () => {
    const fake = await startFake((command, body) => (command === 'join' ? 'nothing' : calm(command, body)));
    const { membership, clock } = open(fake.address);
    await membership.start();
    const refused = expect(membership.join(['10.0.0.1'])).rejects.toThrow('did not respond: join');
    await expect.poll(() => fake.seen.at(-1)?.[0]).toBe('join');
    clock.advance(60_000);
    await refused;
    // A response that arrives too late has no recipient.
    fake.send({ Seq: 6, Error: text('') }, { Num: 1 });
    expect(await membership.members()).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('releases all waiting callers when it ends', async () => {
    const fake = await startFake((command, body) => (command === 'join' ? 'hang up' : calm(command, body)));
    const { membership } = open(fake.address);
    await membership.start();
    await expect(membership.join(['10.0.0.1'])).rejects.toMatchObject({ code: 'no-members' });
  });
});
