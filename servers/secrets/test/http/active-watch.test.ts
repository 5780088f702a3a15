import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createClocks } from '../../src/base/clocks.js';
import { watchActive } from '../../src/http/active-watch.js';
import type { PeerClient } from '../../src/http/peer-client.js';
import { createFakeClock } from '../support/fake-clock.js';

it('reports an active server that does not respond for five seconds, and compares the clock of one that does', async () => {
  const clock = createFakeClock();
  const clocks = createClocks('own', clock);
  let isSilent = false;
  let requests = 0;
  const client: PeerClient = {
    send: () => Promise.reject(new Error('nothing is sent')),
    fetchTime(_address, _key, _report, signal) {
      requests += 1;
      if (!isSilent) return Promise.resolve({ time: clock.now() - 2_000, others: [] });
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    },
    close: () => undefined,
  };
  const peerKey = randomBytes(32);
  let active: string | null = null;
  const watch = watchActive({
    ...{ client, clock, clocks },
    activeAddress: () => active,
    canAudit: () => true,
    peerKey: () => peerKey,
  });
  const reported: string[] = [];
  watch.onSilence('a', () => reported.push('a'));
  watch.onSilence('b', () => reported.push('b'));
  watch.onSilence('a', () => reported.push('never'))();
  const seconds = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await seconds(3);
  expect(requests).toBe(0);
  active = 'a';
  await seconds(1);
  expect([requests, clocks.ahead()]).toEqual([1, 2_000]);
  isSilent = true;
  await seconds(5);
  expect(reported).toEqual([]);
  await seconds(1);
  expect(reported).toEqual(['a']);
  watch.close();
  await seconds(60);
  expect(requests).toBe(2);
});
