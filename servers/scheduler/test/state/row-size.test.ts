import { describe, expect, it } from 'vitest';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { maxRowSize } from '@tamis/scheduler-state/state/row-size.js';
import { openState } from '@tamis/scheduler-state/state/state.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call } from '../support/test-agent.js';

describe('a row that is too large', () => {
  it('is refused alone, with what and how large, and others are written', async () => {
    const state = await openState({ storage: createMemoryStorage(), clock: createFakeClock() });
    const put = (name: string, description: string): Promise<void> =>
      state.write((transaction) =>
        transaction.put('namespaces', createNamespace(name, description, transaction.index)),
      );
    const writes = [put('a', ''), put('b', 'x'.repeat(maxRowSize)), put('c', '')];
    const [first, second, third] = await Promise.allSettled(writes);
    expect([first?.status, third?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(second).toMatchObject({
      reason: {
        code: 'row-too-large',
        message: expect.stringMatching(
          /^Namespace b takes \d+ bytes in JSON, and at most 1048576 can be stored/,
        ) as string,
      },
    });
    expect(state.snapshot().tables.namespaces.primary.size).toBe(2);
    expect(state.snapshot().index).toBe(2);
    await state.close();
  });

  it('is rejected with 413, and changes nothing', async () => {
    const agent = await createBaseAgent();
    const { index } = agent.state.snapshot();
    const Job = { ...minimalJob('large'), Meta: { note: 'x'.repeat(maxRowSize) } };
    const response = await call(agent, '/v1/jobs', { method: 'PUT', body: { Job } });
    expect([response.status, response.text]).toEqual([
      413,
      expect.stringMatching(/^Job default\.large takes \d+ bytes/),
    ]);
    expect(agent.state.snapshot().index).toBe(index);
    await agent.close();
  });
});
