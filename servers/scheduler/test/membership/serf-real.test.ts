import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSerfMembership } from '../../src/services/membership/serf.js';
import type { MemberEvent, Membership } from '../../src/services/membership/membership.js';
import { systemClock } from '@tamis/http';
import { findTool } from '../../../../test/support/tool.js';
import { startSerf, type SerfAgent } from './serf-agent.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const serf = findTool('serf');

const agents: SerfAgent[] = [];
const memberships: Membership[] = [];
afterEach(async () => {
  for (const membership of memberships.splice(0)) await membership.close();
  for (const agent of agents.splice(0)) await agent.kill();
});

interface Joined {
  readonly agent: SerfAgent;
  readonly membership: Membership;
  /** Resolves with the next event of this kind about a member, also one that has come already. */
  event(kind: MemberEvent['kind'], name: string): Promise<void>;
}

async function open(name: string): Promise<Joined> {
  const agent = await startSerf(name);
  agents.push(agent);
  const membership = createSerfMembership({
    rpcAddress: agent.rpc,
    authKey: null,
    tags: () => ({ role: 'scheduler', id: `id of ${name}` }),
    clock: systemClock,
    random: () => 0.5,
    onNotice: () => undefined,
  });
  memberships.push(membership);
  const seen: string[] = [];
  membership.subscribe(({ kind, member }) => {
    seen.push(`${kind} ${member.Name}`);
  });
  await membership.start();
  return {
    agent,
    membership,
    async event(kind, expected) {
      await until(() => seen.includes(`${kind} ${expected}`), {
        what: `the event ${kind} ${expected}`,
        between: () => pause(20),
      });
    },
  };
}

async function statuses(membership: Membership): Promise<string[]> {
  return (await membership.members()).map(({ Name, Status }) => `${Name} ${Status}`);
}

describe.skipIf(serf.isMissing)(`three Serf agents${serf.why}`, () => {
  it('join, fail, leave and are pruned', async () => {
    const [one, two, three] = await Promise.all(['srv1.global', 'srv2.global', 'srv3.global'].map(open));
    if (one === undefined || two === undefined || three === undefined) throw new Error('three were opened');
    expect(await one.membership.join([one.agent.gossip])).toEqual({ joined: 1, failures: [] });
    expect(await one.membership.join([two.agent.gossip, three.agent.gossip])).toEqual({
      joined: 2,
      failures: [],
    });
    await Promise.all([one.event('join', 'srv2.global'), one.event('join', 'srv3.global')]);
    expect(await statuses(one.membership)).toEqual([
      'srv1.global alive',
      'srv2.global alive',
      'srv3.global alive',
    ]);

    await two.agent.kill();
    await one.event('failed', 'srv2.global');
    expect(await statuses(one.membership)).toContain('srv2.global failed');

    await one.membership.forceLeave('nobody.global', true);
    await one.membership.forceLeave('srv1.global', false);
    await one.membership.forceLeave('srv2.global', false);
    await one.event('leave', 'srv2.global');
    expect(await statuses(one.membership)).toEqual([
      'srv1.global alive',
      'srv2.global left',
      'srv3.global alive',
    ]);

    await one.membership.forceLeave('srv2.global', true);
    expect(await statuses(one.membership)).toEqual(['srv1.global alive', 'srv3.global alive']);
    expect(await one.membership.stats()).toMatchObject({ members: '2', failed: '0', connected: 'true' });
  });

  it('report everything about a member', async () => {
    const { agent, membership } = await open('srv1.global');
    const [host, port] = agent.gossip.split(':');
    const self = {
      Name: 'srv1.global',
      Addr: host,
      Port: Number(port),
      Tags: { role: 'scheduler', id: 'id of srv1.global' },
      Status: 'alive',
      ProtocolMin: 1,
      ProtocolMax: 5,
      ProtocolCur: 2,
      DelegateMin: 2,
      DelegateMax: 5,
      DelegateCur: expect.any(Number),
    };
    expect(await membership.members()).toEqual([self]);
    expect(membership.self()).toEqual(self);
  });

  it('say why an address cannot be joined', async () => {
    const { membership } = await open('srv1.global');
    const { failures, joined } = await membership.join(['127.0.0.1:1', 'a:b']);
    expect(joined).toBe(0);
    expect(failures).toEqual([
      'failed to join a:b: invalid port in address "a:b": expected 1 to 65535',
      expect.stringMatching(
        /^failed to join 127\.0\.0\.1.*: dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
      ),
    ]);
  });

  it('are gone: what was known stays, and nothing can be changed', async () => {
    const { agent, membership } = await open('srv1.global');
    const before = await membership.members();
    await agent.kill();
    await expect.poll(() => membership.stats()).toEqual({ connected: 'false', source: 'serf' });
    expect(await membership.members()).toEqual(before);
    await expect(membership.join([agent.gossip])).rejects.toMatchObject({ code: 'no-members' });
    await expect(membership.forceLeave('x', false)).rejects.toThrow(
      'no response from the Serf agent: it is not connected',
    );
  });
});
