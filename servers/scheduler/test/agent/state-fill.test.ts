import { expect, it } from 'vitest';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { createStateFill } from '../../src/agent/state-fill.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { openState } from '@tamis/scheduler-state/state/state.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

it('an import that was not kept is tried again in the next term, and one that was is not', async () => {
  const clock = createFakeClock();
  const state = await openState({ storage: createMemoryStorage(), clock });
  let isLeading = false;
  let reads = 0;
  let collections = 0;
  const fill = createStateFill(
    { ...defaultAgentConfig, fill: { kind: 'import', file: 'in' } },
    {
      clock,
      logs: createLogHub({ level: 'silent', write: () => undefined }),
      collectGarbage: async () => void (collections += 1),
      readLines: () => ({ lines: lines(), done: () => null }),
    },
    {
      state: {
        write: async (action) => {
          if (isLeading) return state.write(action);
          throw new SchedulerError('no-leader', 'No cluster leader');
        },
      },
    },
  );
  async function* lines(): AsyncGenerator<string> {
    reads += 1;
    yield '{"kind":"job","object":{"ID":"web","ModifyIndex":7}}';
  }
  const jobs = (): number => state.snapshot().tables.jobs.primary.size;

  await expect(fill.start()).rejects.toThrow('No cluster leader');
  expect(jobs()).toBe(0);
  isLeading = true;
  await fill.start();
  expect([jobs(), state.snapshot().index]).toEqual([1, 7]);
  await fill.start();
  expect([reads, collections]).toEqual([2, 1]);
  await state.close();
});
