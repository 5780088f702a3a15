import { describe, expect, it } from 'vitest';
import { createLoginGate, defaultLoginLimits, type LoginGate } from '../../src/auth/login-limits.js';

/** A login, as the mount lets it through the gate. */
async function pass<T>(gate: LoginGate, peer: string, login: () => Promise<T>): Promise<T> {
  const leave = gate.enter(peer);
  try {
    return await login();
  } finally {
    leave();
  }
}

/** Logins that stay under way until the function returned is called. */
function block(
  gate: LoginGate,
  peer: string,
  count: number,
): { readonly results: Promise<PromiseSettledResult<string>[]>; readonly end: () => void } {
  let end = (): void => undefined;
  const pending = new Promise<void>((resolve) => (end = resolve));
  const results = Promise.allSettled(
    Array.from({ length: count }, () => pass(gate, peer, async () => pending.then(() => 'in'))),
  );
  return { results, end: () => end() };
}

const refused = (results: readonly PromiseSettledResult<string>[]): number =>
  results.filter(({ status }) => status === 'rejected').length;

describe('the gate of logins', () => {
  it('has so many places for one address, and so many in all, and gives them back', async () => {
    const gate = createLoginGate({ ...defaultLoginLimits, concurrentPerPeer: 3, concurrent: 5 }, () => 0);
    const [first, second, third] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((peer) => block(gate, peer, 4));
    for (const group of [first, second, third]) group!.end();
    expect(refused(await first!.results)).toBe(1);
    expect(refused(await second!.results)).toBe(2);
    expect(refused(await third!.results)).toBe(4);
    expect(await pass(gate, '10.0.0.3', async () => 'in')).toBe('in');
    await expect(pass(gate, '10.0.0.3', () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(refused(await lockAndExit(gate, '10.0.0.3', 3))).toBe(0);
  });

  it('counts an IPv6 customer as one, however it is written', async () => {
    const gate = createLoginGate({ ...defaultLoginLimits, burst: 2, perSecond: 1 }, () => 0);
    const run = (peer: string): Promise<string> => pass(gate, peer, async () => 'in');
    await run('2001:db8:0:1::1');
    await run('2001:db8:0:1:ffff:ffff:ffff:ffff');
    await expect(run('2001:db8::1:0:0:0:5')).rejects.toThrow('too many logins');
    expect(await run('2001:db8:0:2::1')).toBe('in');
    expect(await run('::1')).toBe('in');
  });

  it('forgets old addresses before it fills the memory, but none with a login under way', async () => {
    const gate = createLoginGate({ ...defaultLoginLimits, burst: 1, perSecond: 1 }, () => 0);
    const busy = block(gate, 'busy', 1);
    await pass(gate, 'early', async () => 'in');
    for (let at = 0; at < 10_000; at += 1) await pass(gate, `peer ${at}`, async () => 'in');
    expect(await pass(gate, 'early', async () => 'in')).toBe('in');
    await expect(pass(gate, 'busy', async () => 'in')).rejects.toThrow('too many logins');
    busy.end();
    await busy.results;
  });

  async function lockAndExit(
    gate: LoginGate,
    peer: string,
    count: number,
  ): Promise<PromiseSettledResult<string>[]> {
    const { results, end } = block(gate, peer, count);
    end();
    return results;
  }
});
