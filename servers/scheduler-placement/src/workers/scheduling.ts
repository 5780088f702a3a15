import type { TimeSlicer } from '@tamis/http';
import { cancelEvaluations, failEvaluation } from '@tamis/scheduler-state/state/evaluation-outcome.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import { getRow } from 'tamis/table';
import { createBlockedEvaluations } from './blocked-evaluations.js';
import {
  createBroker,
  defaultBrokerLimits,
  failedQueue,
  type BrokerCounts,
  type BrokerLimits,
  type Delivery,
} from './broker.js';
import type { WatcherOptions } from './watcher.js';
import { startDeploymentWatcher } from './deployment-watcher.js';
import { startDrainer } from './drainer.js';
import { startEvaluationFeed, type EvaluationFeed } from './evaluation-feed.js';
import { watchTables } from './watcher.js';
import { startGarbageCollector } from './garbage-collector.js';
import { startPeriodicLauncher } from './periodic-launcher.js';
import { startPool, type PoolOptions } from './pool.js';
import { defaultProcessLimits, processEvaluation, type ProcessLimits } from './process-evaluation.js';

/** Turns evaluations into allocations. It can be started and stopped repeatedly. */
export type Scheduling = ReturnType<typeof createScheduling>;

export interface SchedulingOptions
  extends WatcherOptions, Pick<PoolOptions, 'serverId' | 'config' | 'uuid' | 'leadsOthers'> {
  readonly slices: TimeSlicer;
  readonly random: () => number;
  readonly limits?: Partial<SchedulingLimits>;
}

export interface SchedulingLimits extends BrokerLimits, ProcessLimits {
  /** Maximum number of evaluations in memory. Others wait in the state. */
  readonly maxOutstanding: number;
}

const defaultSchedulingLimits: SchedulingLimits = Object.freeze({
  ...defaultBrokerLimits,
  ...defaultProcessLimits,
  maxOutstanding: 50_000,
});

/** Delay before an evaluation that failed too often is retried, in ms. Up to the same time is added as jitter. */
const failedRest = 60_000;

export function createScheduling(options: SchedulingOptions) {
  const { state, clock, slices, uuid, random, warn } = options;
  const limits = { ...defaultSchedulingLimits, ...options.limits };
  const running: (() => void)[] = [];
  let feed: EvaluationFeed | null = null;
  let withdrawReaper = (): void => undefined;

  function write(what: string, action: Parameters<State['write']>[0]): void {
    state.write(action).catch((error: unknown) => warn(what, { err: error }));
  }

  const broker = createBroker({
    clock,
    uuid,
    limits,
    cancel: (ids) =>
      write('evaluations were not canceled', (transaction) => cancelEvaluations(transaction, ids)),
  });
  const blocked = createBlockedEvaluations(() => state.snapshot().tables, broker.enqueue);

  /** Continues after a delivery: the broker has released the evaluation, so that it can be added again. */
  function done({ evaluation }: Delivery): void {
    const after = getRow(state.snapshot().tables.evaluations, evaluation.ID);
    if (after?.Status === 'blocked') blocked.block(after);
    feed?.pump();
  }

  const pool = startPool({
    ...{ serverId: options.serverId, config: options.config, leadsOthers: options.leadsOthers },
    ...{ clock, uuid, broker, done },
    process: ({ evaluation }, processing) =>
      processEvaluation(evaluation, processing, { state, slices, uuid, limits, now: clock.now }),
    failed: (error, { evaluation }) =>
      warn('evaluation was not processed', { err: error, evaluation: evaluation.ID, job: evaluation.JobID }),
  });

  /** Fails evaluations that no worker could process, and schedules a retry. */
  function reapFailed(): void {
    withdrawReaper = broker.whenReady(reapFailed);
    for (let next = broker.dequeue([failedQueue]); next !== null; next = broker.dequeue([failedQueue])) {
      const { evaluation, token } = next;
      const description = `evaluation reached delivery limit (${limits.maxDeliveries})`;
      const wait = failedRest * (1 + random());
      const following = { triggeredBy: 'failed-follow-up', wait, isBlocked: false };
      write('evaluation was not ended', (transaction) =>
        failEvaluation(transaction, evaluation.ID, description, following),
      );
      broker.acknowledge(evaluation.ID, token);
    }
  }

  /** Stops taking evaluations from the state. */
  function unfollow(): void {
    for (const end of running.splice(0)) end();
    feed = null;
  }

  return {
    pool,
    /** Number of evaluations in each stage. */
    get counts(): BrokerCounts & { readonly blocked: number } {
      return { ...broker.counts, blocked: blocked.size };
    },
    /** Starts taking evaluations from the state. While stopped, workers wait. */
    start(): void {
      if (feed !== null) return;
      blocked.clear();
      feed = startEvaluationFeed({
        state,
        hasCapacity: () => broker.counts.ready + broker.counts.queued < limits.maxOutstanding,
        pending: broker.enqueue,
        // Evaluations from before a restart are retried, because changes since then are unknown.
        blocked: blocked.block,
      });
      reapFailed();
      pool.adjust();
      const watcher = { state, clock, warn };
      running.push(
        feed.stop,
        () => withdrawReaper(),
        watchTables(state, ['capacity_marks'], blocked.unblock),
        startDeploymentWatcher(watcher),
        startDrainer(watcher),
        startPeriodicLauncher(watcher),
        startGarbageCollector(watcher, slices),
      );
    },
    /** Stops processing. All evaluations are released, and the current work of workers is not written. */
    stop(): void {
      unfollow();
      broker.clear();
      blocked.clear();
      pool.adjust();
    },
    /** Stops permanently. Resolves when workers have finished their current evaluation. */
    async close(): Promise<void> {
      unfollow();
      await pool.close();
      broker.clear();
    },
  };
}
