import { describe, expect, it } from 'vitest';
import {
  createLeadership,
  createSingleServer,
  type AnnouncedLeadership,
  type KnownLeader,
  type Leadership,
} from '@tamis/scheduler-state/cluster/leadership.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

const self = { name: 'srv1.global', address: '10.0.0.1:4647' };
const other = { name: 'srv2.global', address: '10.0.0.2:4647' };
const here = (term: number): KnownLeader => ({ location: 'here', server: self, term });
const there = (term: number): KnownLeader => ({ location: 'there', server: other, term });
const nobody = { location: 'nobody' } as const;

function alone(bootstrapExpect: number): { readonly leadership: Leadership; readonly clock: FakeClock } {
  const clock = createFakeClock();
  return { clock, leadership: createSingleServer({ bootstrapExpect, self, clock }) };
}

function ofSeveral(): { readonly leadership: AnnouncedLeadership; readonly clock: FakeClock } {
  const clock = createFakeClock();
  return { clock, leadership: createLeadership(clock) };
}

const slowClient = (): AbortSignal => new AbortController().signal;

describe('a server that is alone', () => {
  it.each([0, 1])('leads itself when it expects %d', async (expected) => {
    const { leadership, clock } = alone(expected);
    expect(leadership.current()).toEqual(here(1));
    expect(await leadership.require(slowClient())).toEqual(here(1));
    clock.advance(60_000);
    expect(leadership.contact()).toEqual({ lastContact: 0, knownLeader: true });
  });

  it('reports its current address', () => {
    let address = 'a:0';
    const named = {
      name: 'srv1.global',
      get address() {
        return address;
      },
    };
    const leadership = createSingleServer({ bootstrapExpect: 1, self: named, clock: createFakeClock() });
    address = 'a:4647';
    expect(leadership.current()).toMatchObject({ server: { address: 'a:4647' } });
  });
});

describe('a server that waits for others', () => {
  it('has no leader, and reports since when', () => {
    const { leadership, clock } = alone(3);
    clock.advance(1_234.5);
    expect(leadership.current()).toEqual(nobody);
    expect(leadership.contact()).toEqual({ lastContact: 1_234, knownLeader: false });
  });

  it('holds requests for five seconds, and no timer afterwards', async () => {
    const { leadership, clock } = alone(3);
    const paused = leadership.require(slowClient());
    clock.advance(4_999);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    await expect(paused).rejects.toMatchObject({ code: 'no-leader', message: 'No cluster leader' });
    expect(clock.pending).toBe(0);
  });

  it('forgets a client that is gone, before or while it waits', async () => {
    const { leadership, clock } = alone(3);
    const controller = new AbortController();
    const paused = leadership.require(controller.signal);
    controller.abort();
    await expect(paused).rejects.toMatchObject({ code: 'client-gone' });
    await expect(leadership.require(controller.signal)).rejects.toMatchObject({ code: 'client-gone' });
    expect(clock.pending).toBe(0);
  });

  it('refuses everybody once it stops', async () => {
    const { leadership, clock } = alone(3);
    const paused = leadership.require(slowClient());
    leadership.stop();
    await expect(paused).rejects.toMatchObject({ code: 'no-leader' });
    await expect(leadership.require(slowClient())).rejects.toMatchObject({ code: 'no-leader' });
    expect(clock.pending).toBe(0);
  });
});

describe('the leadership of several servers', () => {
  it.each([here(7), there(7)])('is reported to waiting requests: $location', async (leader) => {
    const { leadership, clock } = ofSeveral();
    const paused = [leadership.require(slowClient()), leadership.require(slowClient())];
    clock.advance(4_000);
    leadership.announce(leader);
    expect(await Promise.all(paused)).toEqual([leader, leader]);
    expect(clock.pending).toBe(0);
  });

  it('is reported to subscribers only when it changes', () => {
    const { leadership } = ofSeveral();
    const received: unknown[] = [];
    const listener = (): void => void received.push(leadership.current());
    const withdraw = leadership.subscribe(listener);
    for (const leader of [nobody, here(1), here(1), there(2), there(3), nobody, nobody, here(4)]) {
      leadership.announce(leader);
    }
    withdraw();
    leadership.stop();
    leadership.announce(nobody);
    expect(received).toEqual([here(1), there(2), there(3), nobody, here(4)]);
  });

  it.each<[what: string, announced: readonly (KnownLeader | typeof nobody)[], lastContact: number]>([
    ['the leader itself', [here(1)], 0],
    ['a follower that has not heard of it since', [there(1)], 300],
    ['a follower that has heard of it again', [there(1), there(1)], 200],
    ['a server that has lost its own leadership', [here(1), nobody], 200],
    ['a follower whose leader is gone', [there(1), nobody], 300],
  ])('was last heard of, by %s', (_what, announced, lastContact) => {
    const { leadership, clock } = ofSeveral();
    for (const leader of announced) {
      leadership.announce(leader);
      clock.advance(100);
    }
    clock.advance(300 - 100 * announced.length);
    const knownLeader = announced.at(-1) !== nobody;
    expect(leadership.contact()).toEqual({ lastContact, knownLeader });
  });
});
