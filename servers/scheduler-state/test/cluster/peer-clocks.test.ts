import { describe, expect, it } from 'vitest';
import { describeClocks, watchPeerClocks } from '@tamis/scheduler-state/cluster/peer-clocks.js';
import type { RegisteredServer } from '@tamis/scheduler-state/cluster/server-list.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const registered = (name: string, at: number): RegisteredServer => ({
  ...{ name, address: `127.0.0.1:${at}`, httpAddress: 'http://127.0.0.1:1', gossipPort: 1, tags: {} },
});

describe('the clocks of other servers', () => {
  it('are reported once when they differ, and once when they agree again', async () => {
    const clock = createFakeClock();
    const ahead = new Map<number, number | null>([
      [1, 3_600_000],
      [2, -5_250],
      [3, 900],
      [4, null],
    ]);
    const noted: string[] = [];
    const clocks = watchPeerClocks({
      clock,
      servers: { all: () => ['own', 'a', 'b', 'c', 'old', 'gone'].map(registered) },
      self: 'own',
      async timeOf(address) {
        const by = ahead.get(Number(address.split(':')[1]));
        if (by === undefined) throw new Error('refused');
        return by === null ? null : clock.now() + by;
      },
      noted: ({ name }, isApart) => void noted.push(`${name} ${isApart}`),
    });
    await until(() => clocks.all().length === 3);
    expect(describeClocks(clocks.all())).toBe(
      'the clock of a is 3600.0 s ahead of the one of this server; the clock of b is 5.3 s behind the one of this server',
    );
    expect(noted).toEqual(['a true', 'b true']);
    ahead.set(1, 0);
    ahead.delete(3);
    clock.advance(10_000);
    await until(() => clocks.all().length === 2);
    expect(noted).toEqual(['a true', 'b true', 'a false']);
    expect(describeClocks(clocks.all())).toContain('b is 5.3 s behind');
    clocks.close();
    expect(clock.pending).toBe(0);
  });

  it('do not count the round-trip time as a difference', async () => {
    const clock = createFakeClock();
    for (const [sent, seen] of [
      [0, 0],
      [2_000, 0],
      [4_000, 0],
      [6_000, 2_000],
      [-1_500, -1_500],
    ] as const) {
      const clocks = watchPeerClocks({
        clock,
        servers: { all: () => [registered('a', 1)] },
        self: 'own',
        async timeOf() {
          const time = clock.now() + sent;
          clock.advance(4_000);
          return time;
        },
        noted: () => undefined,
      });
      await until(() => clocks.all().length === 1);
      expect(clocks.all()).toEqual([{ name: 'a', ahead: seen }]);
      clocks.close();
    }
  });
});
