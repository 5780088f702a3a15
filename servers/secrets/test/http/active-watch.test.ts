import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createClocks } from '../../src/base/clocks.js';
import { watchActive } from '../../src/http/active-watch.js';
import type { PeerClient } from '../../src/http/peer-client.js';
import { createFakeClock } from '../support/fake-clock.js';

it('tells of an active server that does not answer for five seconds, and compares the clock of one that does', async () => {
  const clock = createFakeClock();
  const clocks = createClocks('own', () => clock.now());
  let isSilent = false;
  let asked = 0;
  const client: PeerClient = {
    send: () => Promise.reject(new Error('nothing is sent')),
    askTime(_address, _key, _report, signal) {
      asked += 1;
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
  const told: string[] = [];
  watch.onSilence('a', () => told.push('a'));
  watch.onSilence('b', () => told.push('b'));
  watch.onSilence('a', () => told.push('never'))();
  const seconds = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await seconds(3);
  expect(asked).toBe(0);
  active = 'a';
  await seconds(1);
  expect([asked, clocks.ahead()]).toEqual([1, 2_000]);
  isSilent = true;
  await seconds(5);
  expect(told).toEqual([]);
  await seconds(1);
  expect(told).toEqual(['a']);
  watch.close();
  await seconds(60);
  expect(asked).toBe(2);
});
