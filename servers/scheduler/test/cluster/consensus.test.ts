import { describe, expect, it } from 'vitest';
import { createSingleServer, type Consensus } from '../../src/cluster/consensus.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';

const self = { name: 'srv1.global', address: '10.0.0.1:4647' };

function create(bootstrapExpect: number): { readonly consensus: Consensus; readonly clock: FakeClock } {
  const clock = createFakeClock();
  return { clock, consensus: createSingleServer({ bootstrapExpect, self: () => self, clock }) };
}

describe('a server that is alone', () => {
  it.each([0, 1])('leads itself when it expects %d', async (expected) => {
    const { consensus, clock } = create(expected);
    expect([consensus.known, consensus.isLeader, consensus.current()]).toEqual([true, true, self]);
    await consensus.require(new AbortController().signal);
    clock.advance(60_000);
    expect(consensus.contact()).toEqual({ lastContact: 0, knownLeader: true });
  });

  it('tells its address as it is now', () => {
    let address = 'a:0';
    const consensus = createSingleServer({
      bootstrapExpect: 1,
      self: () => ({ name: 'srv1.global', address }),
      clock: createFakeClock(),
    });
    address = 'a:4647';
    expect(consensus.current()?.address).toBe('a:4647');
  });
});

describe('a server that waits for others', () => {
  it('has no leader, and tells since when', () => {
    const { consensus, clock } = create(3);
    clock.advance(1_234.5);
    expect([consensus.known, consensus.isLeader, consensus.current()]).toEqual([false, false, null]);
    expect(consensus.contact()).toEqual({ lastContact: 1_234, knownLeader: false });
  });

  it('holds requests for five seconds, and no timer afterwards', async () => {
    const { consensus, clock } = create(3);
    const held = consensus.require(new AbortController().signal);
    clock.advance(4_999);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    await expect(held).rejects.toMatchObject({ code: 'no-leader', message: 'No cluster leader' });
    expect(clock.pending).toBe(0);
  });

  it('forgets a client that is gone, before or while it waits', async () => {
    const { consensus, clock } = create(3);
    const controller = new AbortController();
    const held = consensus.require(controller.signal);
    controller.abort();
    await expect(held).rejects.toMatchObject({ code: 'client-gone' });
    await expect(consensus.require(controller.signal)).rejects.toMatchObject({ code: 'client-gone' });
    expect(clock.pending).toBe(0);
  });

  it('refuses everybody once it stops', async () => {
    const { consensus, clock } = create(3);
    const held = consensus.require(new AbortController().signal);
    consensus.stop();
    await expect(held).rejects.toMatchObject({ code: 'no-leader' });
    await expect(consensus.require(new AbortController().signal)).rejects.toMatchObject({
      code: 'no-leader',
    });
    expect(clock.pending).toBe(0);
  });
});
