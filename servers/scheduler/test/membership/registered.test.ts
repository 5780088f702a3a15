import { describe, expect, it } from 'vitest';
import type { RegisteredServer } from '@tamis/scheduler-state/cluster/server-list.js';
import { readRegistration, registrationOf } from '@tamis/scheduler-state/cluster/server-list.js';
import { createLocalMembership } from '../../src/services/membership/local.js';
import { gossipVersions, type Member } from '@tamis/scheduler-model/wire/member.js';
import type { Membership } from '../../src/services/membership/membership.js';
import { createRegisteredMembership } from '../../src/services/membership/registered.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

function member(Name: string, Status: Member['Status'] = 'alive'): Member {
  return { Name, Addr: '127.0.0.1', Port: 4648, Tags: { role: 'scheduler' }, Status, ...gossipVersions };
}

function server(name: string, gossipPort = 5648): RegisteredServer {
  const tags = { role: 'scheduler', rpc_addr: '127.0.0.1' };
  return { name, address: '127.0.0.1:5647', httpAddress: 'http://127.0.0.1:5646', gossipPort, tags };
}

describe('members of which some have registered', () => {
  const listeners = new Set<() => void>();
  let registered: RegisteredServer[] = [];

  function open(...roster: Member[]): Membership {
    const clock = createFakeClock();
    const describe = (): Member => member('a.global');
    const local = createLocalMembership({
      ...{ bind: '127.0.0.1', port: 0, describe, roster, uuid: () => 'x', clock },
    });
    return createRegisteredMembership(local, {
      all: () => registered,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    });
  }

  function register(...servers: RegisteredServer[]): void {
    registered = servers;
    for (const listener of listeners) listener();
  }

  it('shows each once: this one as it is, others as they have registered, the rest from the roster', async () => {
    const membership = open(member('b.global', 'failed'), member('z.west', 'left'));
    register(server('a.global'), server('b.global'), server('c.global'));
    const printed = (await membership.members()).map(({ Name, Port, Status }) => [Name, Port, Status]);
    expect(printed).toEqual([
      ['a.global', 4648, 'alive'],
      ['b.global', 5648, 'alive'],
      ['c.global', 5648, 'alive'],
      ['z.west', 4648, 'left'],
    ]);
    expect(await membership.stats()).toMatchObject({ members: '4' });
  });

  it('reports joins and leaves', () => {
    const membership = open();
    const reported: string[] = [];
    const withdraw = membership.subscribe(({ kind, member: { Name, Status } }) => {
      reported.push(`${kind} ${Name} ${Status}`);
    });
    register(server('a.global'), server('b.global'));
    register(server('a.global'), server('b.global', 1));
    register(server('a.global'));
    withdraw();
    register(server('c.global'));
    expect(reported).toEqual(['join b.global alive', 'leave b.global left']);
  });
});

describe('a registration', () => {
  it('comes back as it was', () => {
    expect(readRegistration(registrationOf(server('a.global')))).toEqual(server('a.global'));
  });

  it.each([
    '',
    'x',
    'null',
    '7',
    '[]',
    '{}',
    '{"address":1}',
    '{"address":"a:1","httpAddress":"","gossipPort":1,"tags":[1]}',
  ])('counts as missing if it is invalid: %s', (value) => {
    expect(readRegistration({ name: 'a', value })).toBeNull();
  });
});
