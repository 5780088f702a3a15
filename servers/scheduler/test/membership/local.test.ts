import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLocalMembership } from '../../src/services/membership/local.js';
import { gossipVersions, type Member, type MemberStatus } from '@tamis/scheduler-model/wire/member.js';
import type { MemberEvent, Membership } from '../../src/services/membership/membership.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

function member(Name: string, Status: MemberStatus): Member {
  return { Name, Addr: '10.0.0.2', Port: 4648, Tags: { role: 'scheduler' }, Status, ...gossipVersions };
}

const open = new Set<Membership>();
const servers = new Set<Server>();
afterEach(async () => {
  for (const membership of open) await membership.close();
  open.clear();
  for (const server of servers) server.close();
  servers.clear();
});

function create(roster: readonly Member[] = [], name = 'srv1.global', clock: FakeClock = createFakeClock()) {
  const membership = createLocalMembership({
    bind: '127.0.0.1',
    port: 0,
    describe: (Port) => ({ ...member(name, 'alive'), Addr: '127.0.0.1', Port }),
    roster,
    uuid: () => `instance of ${name}`,
    clock,
  });
  open.add(membership);
  const events: string[] = [];
  membership.subscribe(({ kind, member: { Name } }: MemberEvent) => void events.push(`${kind} ${Name}`));
  return { membership, clock, events };
}

async function statusOf(membership: Membership, name: string): Promise<MemberStatus | null> {
  return (await membership.members()).find(({ Name }) => Name === name)?.Status ?? null;
}

async function listen(response: string): Promise<number> {
  const server = createServer((socket) => socket.end(response));
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a roster', () => {
  it('lists this agent and the others by name', async () => {
    const { membership } = create([member('srv3.global', 'left'), member('srv2.global', 'failed')]);
    expect((await membership.members()).map(({ Name, Status }) => `${Name} ${Status}`)).toEqual([
      'srv1.global alive',
      'srv2.global failed',
      'srv3.global left',
    ]);
  });

  it.each<[before: MemberStatus, after: MemberStatus]>([
    ['failed', 'left'],
    ['left', 'left'],
    ['alive', 'leaving'],
    ['leaving', 'leaving'],
  ])('force-leave: %s becomes %s', async (before, after) => {
    const { membership } = create([member('srv2.global', before)]);
    await membership.forceLeave('srv2.global', false);
    expect(await statusOf(membership, 'srv2.global')).toBe(after);
  });

  it.each<MemberStatus>(['failed', 'left'])(
    'prune takes one that is %s off the list at once',
    async (status) => {
      const { membership, events } = create([member('srv2.global', status)]);
      await membership.forceLeave('srv2.global', true);
      expect(await statusOf(membership, 'srv2.global')).toBeNull();
      expect(events.at(-1)).toBe('reap srv2.global');
    },
  );

  it('prune gives one that may be alive time to object', async () => {
    const { membership, clock } = create([member('srv2.global', 'alive')]);
    await membership.forceLeave('srv2.global', true);
    await membership.forceLeave('srv2.global', true);
    expect(await statusOf(membership, 'srv2.global')).toBe('leaving');
    clock.advance(5_999);
    expect(await statusOf(membership, 'srv2.global')).toBe('leaving');
    clock.advance(1);
    expect(await statusOf(membership, 'srv2.global')).toBeNull();
    expect(clock.pending).toBe(0);
  });

  it('stays unchanged for an unknown name, and for this agent', async () => {
    const { membership, events } = create([member('srv2.global', 'alive')]);
    const before = await membership.members();
    for (const name of ['nobody', 'srv2', 'srv1.global', '__proto__'])
      await membership.forceLeave(name, true);
    expect(await membership.members()).toEqual(before);
    expect(events).toEqual([]);
  });

  it('has figures', async () => {
    const { membership } = create([member('srv2.global', 'failed'), member('srv3.global', 'left')]);
    expect(await membership.stats()).toMatchObject({ members: '3', failed: '1', left: '1' });
  });
});

describe('joining', () => {
  it('oneself counts, each time', async () => {
    const { membership } = create();
    await membership.start();
    const own = `127.0.0.1:${membership.self().Port}`;
    expect(membership.self().Port).not.toBe(0);
    expect(await membership.join([own, own, '127.0.0.1:1'])).toEqual({
      joined: 2,
      failures: ['failed to join 127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused'],
    });
  });

  it('one of the roster brings it back', async () => {
    const other = create([], 'srv2.global').membership;
    await other.start();
    const { membership, events } = create([member('srv2.global', 'failed')]);
    const outcome = await membership.join([`127.0.0.1:${other.self().Port}`]);
    expect(outcome).toEqual({ joined: 1, failures: [] });
    expect(await statusOf(membership, 'srv2.global')).toBe('alive');
    expect(events).toEqual(['join srv2.global']);
  });

  it('an unknown peer fails and reports why', async () => {
    const other = create([], 'srv9.global').membership;
    await other.start();
    const address = `127.0.0.1:${other.self().Port}`;
    const { joined, failures } = await create().membership.join([address]);
    expect(joined).toBe(0);
    expect(failures[0]).toContain(`failed to join ${address}: srv9.global is not in the roster`);
  });

  it.each(['', 'HTTP/1.1 400 Bad Request\r\n\r\n', '{"gossip":1}\n', 'null\n', `${'x'.repeat(10_000)}`])(
    'rejects a peer that responds %j',
    async (response) => {
      const address = `127.0.0.1:${await listen(response)}`;
      const { failures } = await create().membership.join([address]);
      expect(failures).toEqual([`failed to join ${address}: there is no agent at this address`]);
    },
  );

  it.each([
    ['no port:x', 'invalid address'],
    ['127.0.0.1:99999', 'invalid port in address'],
    ['nowhere.invalid', 'dial tcp: lookup nowhere.invalid: '],
  ])('%s', async (address, reason) => {
    const { failures } = await create().membership.join([address]);
    expect(failures[0]).toContain(`failed to join ${address}: ${reason}`);
  });

  it('ends connections that say something else', async () => {
    const { membership } = create();
    await membership.start();
    const socket = connect(membership.self().Port, '127.0.0.1');
    socket.write('x'.repeat(100_000));
    socket.resume();
    await once(socket, 'close');
    expect(await membership.join([`127.0.0.1:${membership.self().Port}`])).toMatchObject({ joined: 1 });
  });
});
