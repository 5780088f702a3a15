import { expect, it } from 'vitest';
import { createStampClock } from '../src/clock.js';

it('stamps grow though the clock stands still, goes back, or is behind that of another server', () => {
  let now = 5;
  const stamps = createStampClock({ now: () => now });
  expect(stamps.last()).toBe(0n);
  expect([stamps.next(), stamps.next()]).toEqual([5_000_000n, 5_000_001n]);
  now = 3;
  expect(stamps.next()).toBe(5_000_002n);
  stamps.exceed(9_000_000n);
  stamps.exceed(4n);
  expect([stamps.last(), stamps.next()]).toEqual([9_000_000n, 9_000_001n]);
  now = 10;
  expect(stamps.next()).toBe(10_000_000n);
});
