import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRetry } from '@tamis/scheduler-node/retry.js';
import { createFakeClock } from '../../scheduler-model/test/support/fake-clock.js';
import { until } from './allocations.js';

it('logs the time without servers, without that of a call before it failed or after it arrived', async () => {
  const clock = createFakeClock();
  const logged: { readonly seconds?: number }[] = [];
  const log = (fields: object): void => void logged.push(fields);
  const retry = createRetry({
    clock,
    logger: { info: log, warn: log, debug: log } as never,
    random: () => 0.5,
    signal: new AbortController().signal,
  });
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void clock.after(milliseconds, resolve));
  let calls = 0;
  let isDone = false;
  void retry('the call', async () => {
    calls += 1;
    await pause(calls === 1 || calls === 4 ? 60_000 : 1);
    if (calls < 4) throw new Error('away');
  }).then(() => (isDone = true));
  await until(() => isDone, clock, 500);
  await nextTurn();
  const seconds = logged.at(-1)?.seconds ?? NaN;
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(10);
});
