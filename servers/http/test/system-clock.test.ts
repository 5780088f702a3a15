import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../src/index.js';

const day = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([1, 2 ** 31 - 1, 2 ** 31, 30 * day, 100 * day])('waits %d milliseconds, and no less', (length) => {
  let calls = 0;
  systemClock.after(length, () => (calls += 1));
  vi.advanceTimersByTime(length - 1);
  expect(calls).toBe(0);
  vi.advanceTimersByTime(1);
  expect(calls).toBe(1);
  vi.advanceTimersByTime(length);
  expect([calls, vi.getTimerCount()]).toEqual([1, 0]);
});

it('gives up waiting at any time', () => {
  let calls = 0;
  const cancel = systemClock.after(100 * day, () => (calls += 1));
  vi.advanceTimersByTime(60 * day);
  cancel();
  vi.advanceTimersByTime(100 * day);
  expect([calls, vi.getTimerCount()]).toEqual([0, 0]);
});
