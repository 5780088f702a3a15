import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grantLease } from '../../src/tokens/lease.js';

const limits = { defaultTtl: 1_000, maxTtl: 5_000 };
const none = { ttl: 0, maxTtl: 0, explicitMaxTtl: 0, period: 0 };

describe('a lease', () => {
  it.each([
    ['the default', none, 0, 0, 1_000],
    ['the ttl of the role', { ...none, ttl: 60 }, 0, 0, 60],
    ['what is asked for', { ...none, ttl: 60 }, 0, 90, 90],
    ['no more than the system allows', { ...none, ttl: 9_000 }, 0, 0, 5_000],
    ['no more than the role allows', { ...none, ttl: 60, maxTtl: 50 }, 0, 0, 50],
    ['the rest up to the end', { ...none, ttl: 60, maxTtl: 90 }, 50, 0, 40],
    ['whole seconds', { ...none, ttl: 60, maxTtl: 90 }, 50.5, 0, 39],
    ['one second at least', { ...none, ttl: 60, maxTtl: 90 }, 89.5, 0, 1],
    ['the period, whatever was asked', { ...none, ttl: 5, period: 70, maxTtl: 30 }, 9_999_999, 3, 70],
    ['no period beyond the system', { ...none, period: 9_000 }, 0, 0, 5_000],
    ['no period beyond the explicit end', { ...none, period: 70, explicitMaxTtl: 100 }, 60, 0, 40],
  ])('is %s', (_, terms, age, increment, seconds) => {
    expect(grantLease(terms, limits, 0, age * 1_000, { increment }).seconds).toBe(seconds);
  });

  it.each([
    ['the system', none, 5_000],
    ['the role', { ...none, maxTtl: 90 }, 90],
    ['the explicit end, of a period too', { ...none, period: 70, explicitMaxTtl: 100 }, 100],
  ])('is refused at the end of %s', (_, terms, age) => {
    expect(() => grantLease(terms, limits, 0, age * 1_000)).toThrow('past its maximum lifetime');
  });

  it('never ends after any of its ends, and says so when it is shortened', () => {
    const seconds = fc.integer({ min: 0, max: 10_000 });
    const terms = fc.record({
      ttl: seconds,
      maxTtl: seconds,
      explicitMaxTtl: seconds,
      period: fc.constant(0),
    });
    fc.assert(
      fc.property(terms, seconds, seconds, (given, age, increment) => {
        const now = age * 1_000;
        const ends = [limits.maxTtl, given.maxTtl || Infinity, given.explicitMaxTtl || Infinity];
        if (Math.min(...ends) <= age) {
          expect(() => grantLease(given, limits, 0, now, { increment })).toThrow();
          return;
        }
        const lease = grantLease(given, limits, 0, now, { increment });
        for (const end of ends) expect(lease.expiresAt).toBeLessThanOrEqual(end * 1_000);
        expect(lease.expiresAt).toBeGreaterThan(now);
        const expected = increment || given.ttl || limits.defaultTtl;
        expect(lease.shortened).toBe(lease.seconds < expected);
      }),
      { numRuns: 300 },
    );
  });
});
