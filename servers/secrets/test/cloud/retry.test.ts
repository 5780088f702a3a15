import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CloudError } from '../../src/cloud/cloud-error.js';
import { get, type CloudResponse } from '../../src/cloud/cloud-request.js';
import { createRetrySend, retryDelay, type RetryPolicy } from '../../src/cloud/retry.js';
import type { Send } from '../../src/cloud/transport.js';
import { createFakeClock } from '../support/fake-clock.js';

const policy: RetryPolicy = { maxRetries: 3, retryDelay: 4, maxRetryDelay: 60 };
const request = get('the thing', new URL('http://127.0.0.1/'));
const never = new AbortController().signal;
const response = (status: number, retryAfter: string | null = null): CloudResponse => ({
  status,
  retryAfter,
  text: '',
});
const unreachable = new CloudError('unreachable', 'no');

/** Sends through a list of outcomes; moves the clock through each delay, and returns the delays. */
async function run(
  outcomes: readonly (CloudResponse | CloudError)[],
  options: { readonly policy?: RetryPolicy; readonly random?: () => number } = {},
): Promise<{
  readonly delays: readonly number[];
  readonly result: CloudResponse | CloudError;
  readonly sent: number;
}> {
  const clock = createFakeClock();
  let sent = 0;
  const send: Send = async () => {
    const outcome = outcomes[Math.min(sent, outcomes.length - 1)]!;
    sent += 1;
    if (outcome instanceof CloudError) throw outcome;
    return outcome;
  };
  const delays: number[] = [];
  const after: typeof clock.after = (milliseconds, action) => {
    delays.push(milliseconds);
    queueMicrotask(action);
    return () => undefined;
  };
  const retrying = createRetrySend({
    send,
    clock: { ...clock, after },
    random: options.random ?? (() => 0.4),
    policy: options.policy ?? policy,
  });
  const result = await retrying(request, never).catch((error: unknown) => error as CloudError);
  return { delays, result, sent };
}

describe('trying again', () => {
  it('waits longer each time', async () => {
    const { delays, sent, result } = await run([response(503)]);
    expect(delays).toEqual([4_000, 12_000, 28_000]);
    expect(sent).toBe(4);
    expect(result).toEqual(response(503));
  });

  it('ends with the first final response', async () => {
    const { delays, result } = await run([unreachable, response(500), response(200)]);
    expect(delays).toHaveLength(2);
    expect(result).toEqual(response(200));
  });

  it.each([408, 429, 500, 502, 503, 504])('happens after %i', async (status) => {
    expect((await run([response(status)])).sent).toBe(4);
  });

  it.each([200, 201, 400, 401, 403, 404, 409, 501])('does not happen after %i', async (status) => {
    expect((await run([response(status)])).sent).toBe(1);
  });

  it('happens after a fault on the way, but not after a redirect or a wrong shape', async () => {
    expect(await run([unreachable])).toMatchObject({ sent: 4, result: unreachable });
    expect(await run([new CloudError('unreachable', 'redirect', 302)])).toMatchObject({ sent: 1 });
    expect(await run([new CloudError('malformed', 'odd')])).toMatchObject({ sent: 1 });
  });

  it('waits for the requested delay, and not at all if that is too long', async () => {
    expect((await run([response(429, '1'), response(200)])).delays).toEqual([1_000]);
    expect((await run([response(429, '0'), response(200)])).delays).toEqual([0]);
    expect(await run([response(429, '3600')])).toMatchObject({ delays: [], sent: 1 });
    expect(
      (await run([response(429, new Date(1_700_000_030_000).toUTCString()), response(200)])).delays,
    ).toEqual([30_000]);
    expect((await run([response(503, 'nonsense'), response(200)])).delays).toEqual([4_000]);
  });

  it('goes by the policy: none, no delay, no bound', async () => {
    expect((await run([response(503)], { policy: { ...policy, maxRetries: 0 } })).sent).toBe(1);
    expect((await run([response(503)], { policy: { ...policy, retryDelay: -1 } })).delays).toEqual([0, 0, 0]);
    const unbound = { ...policy, maxRetryDelay: -1 };
    expect((await run([response(429, '3600'), response(200)], { policy: unbound })).delays).toEqual([
      3_600_000,
    ]);
    expect((await run([response(429, '999999999'), response(200)], { policy: unbound })).delays).toEqual([
      999_999_999_000,
    ]);
  });

  it('spreads its delays between 0.8 and 1.3 of the rule, never beyond the maximum', () => {
    const clock = createFakeClock();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.nat(1_000),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (retry, base, random) => {
          const delay = retryDelay(
            { ...policy, retryDelay: base },
            retry,
            response(503),
            clock,
            () => random,
          )!;
          const rule = base * (2 ** Math.min(retry, 30) - 1);
          expect(delay).toBeLessThanOrEqual(Math.min(rule * 1.3, 60));
          expect(delay).toBeGreaterThanOrEqual(Math.min(rule * 0.8, 60));
        },
      ),
    );
  });

  it('ends when the caller leaves in the middle of a delay', async () => {
    const clock = createFakeClock();
    const caller = new AbortController();
    const send = createRetrySend({ send: async () => response(503), clock, random: () => 0.4, policy });
    const sending = send(request, caller.signal);
    await clock.awaited(4_000);
    caller.abort();
    await expect(sending).rejects.toThrow('given up');
    expect(clock.pending).toBe(0);
  });
});
