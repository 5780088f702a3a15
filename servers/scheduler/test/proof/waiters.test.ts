import { expect, it } from 'vitest';
import { startMeasuredAgent } from '../../proof/measured-agent.js';
import { proveWaiters } from '../../proof/waiters-proof.js';

it(
  'wakes five hundred waiters by a write to their table, and none by another',
  { timeout: 60_000 },
  async () => {
    const { figures, mistakes } = await proveWaiters({
      count: 500,
      jobs: 1_000,
      start: startMeasuredAgent,
      progress: () => undefined,
    });
    expect(mistakes).toEqual([]);
    expect(figures).toHaveLength(20);
  },
);
