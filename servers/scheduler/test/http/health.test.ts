import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, createTestAgent } from '../support/test-agent.js';

/** An agent whose disk is full when the test says so. */
async function onBreakableDisk() {
  let isFull = false;
  const refuse = (): void => {
    if (!isFull) return;
    const reason = 'no room is left on the disk';
    throw new StorageError('write-failed', `Writing to /secret/state.mdb failed: ${reason}`, null, reason);
  };
  const memory = createMemoryStorage();
  const clock = createFakeClock();
  const agent = await createTestAgent({
    clock,
    storage: {
      ...memory,
      append: async (entry) => (refuse(), memory.append(entry)),
      probe: async () => refuse(),
    },
  });
  return {
    agent,
    clock,
    setFull: (full: boolean) => void (isFull = full),
    write: (Name: string) => call(agent, '/v1/namespace', { method: 'PUT', body: { Name } }),
    health: (query = '') => call(agent, `/v1/agent/health${query}`),
  };
}

describe('the health of a server whose disk is full', () => {
  const sick = {
    server: { ok: false, message: 'the store cannot be written: no room is left on the disk' },
  };

  it('is reported with the reason, even without a write, until there is space again', async () => {
    const { clock, health, setFull } = await onBreakableDisk();
    expect((await health()).status).toBe(200);
    setFull(true);
    clock.advance(1_000);
    for (const query of ['', '?type=server', '?stale']) {
      const response = await health(query);
      expect([response.status, response.json()]).toEqual([500, sick]);
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    }
    setFull(false);
    clock.advance(1_000);
    expect((await health()).json()).toEqual({ server: { ok: true, message: 'ok' } });
  });

  it('follows the writes, which are refused with the reason and keep nothing', async () => {
    const { agent, health, setFull, write } = await onBreakableDisk();
    setFull(true);
    const before = agent.state.snapshot();
    const refused = await write('apps');
    expect([refused.status, refused.text]).toEqual([
      500,
      'The write could not be stored and nothing of it was kept: no room is left on the disk',
    ]);
    expect(agent.state.snapshot()).toBe(before);
    expect((await health()).json()).toEqual(sick);
    expect((await call(agent, '/v1/namespaces')).status).toBe(200);
    setFull(false);
    expect((await write('apps')).status).toBe(200);
    expect((await health()).status).toBe(200);
  });
});

describe('the health of a server whose clock was set', () => {
  it.each([
    [3_600_000, 'ok; the clock of this server was set forward by 3600.0 s'],
    [-90_000, 'ok; the clock of this server was set back by 90.0 s'],
    [500, 'ok'],
  ])('reports a step of %d ms for an hour', async (step, message) => {
    const { agent, clock, health } = await onBreakableDisk();
    const messageOf = async (): Promise<unknown> => (await health()).json();
    clock.step(step);
    expect(await messageOf()).toEqual({ server: { ok: true, message } });
    clock.advance(3_500_000);
    expect(await messageOf()).toEqual({ server: { ok: true, message } });
    clock.advance(200_000);
    expect(await messageOf()).toEqual({ server: { ok: true, message: 'ok' } });
    await agent.close();
  });
});
