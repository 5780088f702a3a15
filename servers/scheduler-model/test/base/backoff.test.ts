import { sleep } from '@tamis/http';
import { describe, expect, it } from 'vitest';
import { createBackoff } from '@tamis/scheduler-model/base/backoff.js';
import { createFakeClock } from '../support/fake-clock.js';

describe('a backoff', () => {
  it.each([
    ['doubles up to the most', 0.999_999, [10, 20, 40, 50, 50]],
    ['takes off up to half', 0, [5, 10, 20, 25, 25]],
    ['spreads between', 0.5, [7.5, 15, 30, 37.5, 37.5]],
  ])('%s', (_what, random, expected) => {
    const backoff = createBackoff({ min: 10, max: 50, random: () => random });
    const pauses = expected.map(() => Math.round(backoff.next() * 10) / 10);
    expect(pauses).toEqual(expected);
    backoff.reset();
    expect(Math.round(backoff.next() * 10) / 10).toBe(expected[0]);
  });
});

describe('sleep', () => {
  it('ends after its duration, and leaves no timer', async () => {
    const clock = createFakeClock();
    const slept = sleep(clock, 100, new AbortController().signal);
    clock.advance(100);
    await expect(slept).resolves.toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('ends when it is aborted, and leaves no timer', async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const slept = sleep(clock, 100, controller.signal);
    controller.abort();
    await expect(slept).resolves.toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});
