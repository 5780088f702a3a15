import { createTimeSlicer, eventLoop } from '@tamis/http';
import { describe, expect, it } from 'vitest';
import { noRows, restoreCluster } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { completeJob } from '@tamis/scheduler-model/job-defaults.js';
import { nodeShape } from '@tamis/scheduler-model/node.js';
import { registerJob } from '@tamis/scheduler-state/state/register-job.js';
import { registerNode } from '@tamis/scheduler-state/state/node-status.js';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createScheduling, type Scheduling } from '@tamis/scheduler-placement/workers/scheduling.js';
import { defaultNode, simpleJob } from '../placement/cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { until } from '../../../scheduler-model/test/support/until.js';

interface World {
  readonly state: State;
  readonly scheduling: Scheduling;
  readonly warnings: readonly string[];
  register(id: string): Promise<void>;
  /** IDs of the jobs that have been placed. */
  placed(): readonly string[];
}

/** @param refusal what the first plan of a job is refused for; null for nothing. */
async function createWorld(refusal: SchedulerError | null = null): Promise<World> {
  let count = 0;
  const uuid = (): string => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
  const clock = createFakeClock();
  const state = await openState({ storage: createMemoryStorage(), clock });
  await state.write((transaction) => {
    restoreCluster(transaction, noRows());
  });
  await state.write((transaction) => registerNode(transaction, completeShape(nodeShape, defaultNode(1))));
  const warnings: string[] = [];
  let isRefused = refusal !== null;
  const write: State['write'] = (action) =>
    state.write((transaction) => {
      const result = action(transaction);
      if (isRefused && transaction.tables.allocations.primary.size > 0) {
        isRefused = false;
        throw refusal;
      }
      return result;
    });
  const scheduling = createScheduling({
    ...{ uuid, state: { ...state, write }, clock, serverId: 'srv1.global' },
    config: { numSchedulers: 2, enabledSchedulers: ['service', '_core'] },
    slices: createTimeSlicer(eventLoop),
    random: () => 0.5,
    leadsOthers: () => false,
    warn: (message) => void warnings.push(message),
  });
  return {
    state,
    scheduling,
    warnings,
    async register(id) {
      const job = completeJob(simpleJob(id), { namespace: 'default', region: 'global' });
      const registration = { job, enforceIndex: null, evalPriority: null };
      await state.write((transaction) => registerJob(transaction, registration));
    },
    placed: () => {
      const { chunks } = state.snapshot().tables.allocations.primary;
      return chunks.flat().map(({ JobID }) => JobID);
    },
  };
}

describe('a plan that is too large to be stored', () => {
  it('fails its evaluation with the reason, and is not made again', async () => {
    const reason = 'Allocation 1 takes 2000000 bytes in JSON';
    const { state, scheduling, register, placed, warnings } = await createWorld(
      new SchedulerError('row-too-large', reason),
    );
    const evaluations = (): unknown[] =>
      state
        .snapshot()
        .tables.evaluations.listed.chunks.flat()
        .map(({ Status, StatusDescription }) => [Status, StatusDescription]);
    await register('large');
    scheduling.start();
    await until(() => JSON.stringify(evaluations()).includes('failed'));
    expect(evaluations()).toEqual([['failed', reason]]);
    await register('other');
    await until(() => placed().length === 1);
    await scheduling.close();
    expect([placed(), warnings]).toEqual([['other'], []]);
  });
});

describe('the work of a leader', () => {
  it('is taken up whenever this server leads, and rests when it does not', async () => {
    const { scheduling, register, placed, warnings } = await createWorld();
    const expected: string[] = [];
    for (const term of [1, 2, 3]) {
      await register(`before-${term}`);
      expect(placed()).toEqual(expect.arrayContaining(expected));
      expect(placed()).toHaveLength(expected.length);
      scheduling.start();
      await register(`during-${term}`);
      expected.push(`before-${term}`, `during-${term}`);
      await until(() => placed().length === expected.length);
      scheduling.stop();
      expect(scheduling.counts).toMatchObject({
        ready: 0,
        outstanding: 0,
        queued: 0,
        delayed: 0,
        blocked: 0,
      });
    }
    expect([...placed()].sort()).toEqual([...expected].sort());
    const { length } = scheduling.pool.workers();
    await scheduling.close();
    expect([length, warnings]).toEqual([2, []]);
  });

  it('places nothing twice that a worker had in hand when the leadership was lost', async () => {
    const { scheduling, register, placed } = await createWorld();
    for (let at = 0; at < 8; at += 1) await register(`job-${at}`);
    for (let turn = 0; turn < 12; turn += 1) {
      scheduling.start();
      await new Promise((resolve) => setImmediate(resolve));
      scheduling.stop();
    }
    scheduling.start();
    await until(() => placed().length >= 8);
    await scheduling.close();
    expect(new Set(placed()).size).toBe(8);
    expect(placed()).toHaveLength(8);
  });
});
