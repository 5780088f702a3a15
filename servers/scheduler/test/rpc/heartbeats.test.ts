import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createHeartbeats } from '../../src/rpc/heartbeats.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createLastingStorage } from '../../../scheduler-state/test/support/storage-log.js';
import { call, createTestAgent } from '../support/test-agent.js';

const times = { minTtlMs: 10_000, grace: 10_000 };

describe('the deadline of a node', () => {
  it('restarts with every heartbeat', () => {
    const clock = createFakeClock();
    const missed: string[] = [];
    const heartbeats = createHeartbeats({
      ...times,
      clock,
      random: () => 0,
      missed: (id) => void missed.push(id),
    });
    expect(heartbeats.beat('a')).toBe(10_000);
    clock.advance(19_999);
    heartbeats.beat('a');
    clock.advance(19_999);
    expect(missed).toEqual([]);
    clock.advance(1);
    expect([missed, heartbeats.count(), clock.pending]).toEqual([['a'], 0, 0]);
  });

  it('is later with many nodes, and differs between them', () => {
    let share = 0;
    const heartbeats = createHeartbeats({
      ...times,
      clock: createFakeClock(),
      random: () => (share = 1 - share) / 2,
      missed: () => undefined,
    });
    expect([heartbeats.beat('a'), heartbeats.beat('b')]).toEqual([15_000, 10_000]);
    for (let at = 0; at < 998; at += 1) heartbeats.beat(String(at));
    // A thousand nodes at fifty heartbeats a second.
    expect([heartbeats.beat('a'), heartbeats.beat('b')]).toEqual([30_000, 20_000]);
    heartbeats.stop();
    expect(heartbeats.count()).toBe(0);
  });
});

describe('a node that goes silent', () => {
  const agents = new Set<Agent>();
  afterEach(async () => {
    for (const agent of agents) await agent.close();
    agents.clear();
  });

  async function start(clock: FakeClock, storage: Storage): Promise<Agent> {
    const agent = await createTestAgent({ clock, storage });
    agents.add(agent);
    await agent.listen();
    return agent;
  }

  async function statusOf(agent: Agent): Promise<string> {
    const [node] = (await call(agent, '/v1/nodes')).json() as { Status: string }[];
    return node?.Status ?? 'none';
  }

  it('is down, also when the server has been started again meanwhile', async () => {
    const clock = createFakeClock();
    const storage = createLastingStorage();
    const first = await start(clock, storage);
    const ID = '11111111-0000-4000-8000-000000000001';
    const Node = { ID, SecretID: ID, Name: 'n', Datacenter: 'dc1', Status: 'ready' };
    const registered = await fetch(`http://${first.rpcAddress()}/internal/node/register`, {
      method: 'POST',
      headers: { 'x-scheduler-rpc': '1' },
      body: JSON.stringify({ Node }),
    });
    expect(registered.status).toBe(200);
    expect(await statusOf(first)).toBe('ready');
    await first.close();
    agents.delete(first);

    const second = await start(clock, storage);
    expect(await statusOf(second)).toBe('ready');
    clock.advance(25_000);
    await second.state.write(() => undefined);
    expect(await statusOf(second)).toBe('down');
  });

  it('is left alone when it came from a file', async () => {
    const clock = createFakeClock();
    const agent = await createTestAgent({
      clock,
      lines: [{ kind: 'node', object: { ID: '11111111-0000-4000-8000-000000000001', Status: 'ready' } }],
    });
    agents.add(agent);
    await agent.listen();
    clock.advance(1_000_000);
    await agent.state.write(() => undefined);
    expect(await statusOf(agent)).toBe('ready');
  });
});
