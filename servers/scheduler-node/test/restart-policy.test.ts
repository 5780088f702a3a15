import { describe, expect, it } from 'vitest';
import { createRestartTracker, type RestartPolicy } from '@tamis/scheduler-node/restart-policy.js';

const policy: RestartPolicy = { attempts: 2, interval: 60_000, delay: 1_000, mode: 'fail' };

describe('a restart policy', () => {
  it('allows its attempts within the interval, then gives up', () => {
    const tracker = createRestartTracker(policy, () => 0);
    expect([0, 1_000].map((now) => tracker.next(now).kind)).toEqual(['restart', 'restart']);
    expect(tracker.next(2_000)).toEqual({
      kind: 'fail',
      reason: 'Exceeded allowed attempts 2 in interval 60s and mode is "fail"',
    });
  });

  it('resets the count when the interval is over', () => {
    const tracker = createRestartTracker(policy, () => 0);
    for (const now of [0, 1_000]) tracker.next(now);
    expect(tracker.next(60_001)).toMatchObject({ kind: 'restart', delay: 1_000 });
  });

  it('waits for the next interval where its mode is to delay', () => {
    const tracker = createRestartTracker({ ...policy, mode: 'delay' }, () => 0);
    for (const now of [0, 1_000]) tracker.next(now);
    expect(tracker.next(10_000)).toMatchObject({ kind: 'restart', delay: 51_000 });
  });

  it('adds up to a quarter to the delay', () => {
    expect(createRestartTracker(policy, () => 0.999).next(0)).toMatchObject({ delay: 1_249.75 });
  });

  it('without attempts allows none', () => {
    const tracker = createRestartTracker({ ...policy, attempts: 0 }, () => 0);
    expect(tracker.next(0)).toEqual({ kind: 'fail', reason: 'Policy allows no restarts' });
  });
});
