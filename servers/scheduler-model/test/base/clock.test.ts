import { expect, it } from 'vitest';
import { createStampClock } from '@tamis/scheduler-model/base/clock.js';

it('stamps grow while the clock stops or goes back a little, and stay close to it', () => {
  let now = 5_000;
  const stamps = createStampClock({ now: () => now });
  expect(stamps.last()).toBe(0n);
  expect([stamps.next(), stamps.next()]).toEqual([5_000_000_000n, 5_000_000_001n]);
  now = 4_001;
  expect([stamps.next(), stamps.last()]).toEqual([5_000_000_002n, 5_000_000_002n]);
  now = 6_000;
  expect(stamps.next()).toBe(6_000_000_000n);
  // The clock was set: earlier stamps are not a lower bound for ever.
  now = 5_000;
  expect(stamps.next()).toBe(5_000_000_000n);
});
