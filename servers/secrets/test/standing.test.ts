import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSeal, type OpenSeal } from '../src/seal/seal.js';
import type { Services } from '../src/server/services.js';
import { createSessions } from '../src/server/sessions.js';
import { createStanding, type Standing } from '../src/server/standing.js';
import type { ActiveServer, StoreElection } from '../src/storage/driver.js';
import { createMemoryStorage } from '../src/storage/memory.js';
import { createFakeClock } from './support/fake-clock.js';
import { createMemoryLogger } from './support/secrets-server.js';

const there: ActiveServer = { location: 'there', address: '127.0.0.1:1', api: '' };
const here = (leaderTerm: number): ActiveServer => ({ location: 'here', leaderTerm, since: 0 });
const never = new AbortController().signal;

describe('a server that shares its store', () => {
  const clock = createFakeClock();
  let active: ActiveServer;
  let listeners: Set<() => void>;
  let steps: string[];
  let standing: Standing;
  let opened: OpenSeal;

  beforeEach(async () => {
    active = { location: 'nobody' };
    listeners = new Set();
    steps = [];
    const storage = createMemoryStorage();
    const seal = createSeal(storage, randomBytes, () => 0, true);
    opened = await seal.open(await seal.initialize(async () => undefined));
    const election: StoreElection = {
      stand: () => void steps.push('stand'),
      withdraw: async () => void steps.push('withdraw'),
      current: () => active,
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      watch: () => () => undefined,
      confirm: async () => true,
      refresh: async () => undefined,
      isPerformanceStandby: false,
      warnings: () => [],
      peer: { address: '127.0.0.1:2', api: '', listen: { host: '127.0.0.1', port: 2 }, tls: null },
    };
    const services = (): Services => {
      steps.push('open');
      return {
        handle: async () => ({ status: 204, body: null }),
        createRoot: () => Promise.reject(new Error('nobody asks for one')),
        close: async () => void steps.push('close'),
      };
    };
    standing = createStanding({
      ...{ election, clock, logger: createMemoryLogger(), bind: () => storage },
      sessions: createSessions(createMemoryLogger()),
      openServices: async () => services(),
    });
  });

  function elect(next: ActiveServer): void {
    active = next;
    for (const listener of [...listeners]) listener();
  }

  it('has services while it is active, and new ones each time', async () => {
    standing.begin(opened);
    elect(here(1));
    expect(await standing.whereabouts(never)).toEqual({ location: 'here' });
    elect(here(2));
    expect(await standing.whereabouts(never)).toEqual({ location: 'here' });
    elect(there);
    expect(await standing.whereabouts(never)).toEqual(there);
    await expect.poll(() => steps).toEqual(['stand', 'open', 'close', 'open', 'close']);
    expect([standing.isUnsealed(), standing.isActive()]).toEqual([true, false]);
  });

  it('lets requests wait for an active server, though not for ever', async () => {
    standing.begin(opened);
    const waiting = standing.whereabouts(never);
    elect(there);
    expect(await waiting).toEqual(there);
    elect({ location: 'nobody' });
    const refused = expect(standing.whereabouts(never)).rejects.toMatchObject({ code: 'standby' });
    clock.advance(5_000);
    await refused;
  });

  it('campaigns again as soon as another one is active after it has stepped down', async () => {
    standing.begin(opened);
    await standing.stepDown();
    expect(steps).toEqual(['stand', 'withdraw']);
    elect(there);
    await expect.poll(() => steps).toEqual(['stand', 'withdraw', 'stand']);
  });

  it('campaigns again after a while if no other server is active', async () => {
    standing.begin(opened);
    await standing.stepDown();
    clock.advance(9_999);
    expect(steps).toEqual(['stand', 'withdraw']);
    clock.advance(1);
    expect(steps).toEqual(['stand', 'withdraw', 'stand']);
  });

  it('yields while it may not campaign, and neither unsealing nor another server makes it campaign', async () => {
    standing.begin(opened);
    standing.allow(false);
    await standing.stepDown();
    elect(there);
    clock.advance(60_000);
    standing.seal();
    standing.begin(opened);
    expect(steps.filter((step) => step === 'stand')).toHaveLength(1);
    standing.allow(true);
    expect(steps.filter((step) => step === 'stand')).toHaveLength(2);
  });

  it('yields when it is sealed, and does not campaign again', async () => {
    standing.begin(opened);
    await standing.stepDown();
    standing.seal();
    elect(there);
    clock.advance(60_000);
    expect(steps).toEqual(['stand', 'withdraw', 'withdraw']);
    expect([standing.isUnsealed(), standing.peerKey()]).toEqual([false, null]);
    expect(await standing.whereabouts(never)).toEqual({ location: 'here' });
  });
});
