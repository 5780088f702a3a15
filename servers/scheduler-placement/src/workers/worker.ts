import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Broker, Delivery } from './broker.js';
import type { Processing } from './process-evaluation.js';
import type { WorkerState, WorkerStatus, WorkloadStatus } from './worker-pool.js';

/** A worker, which processes one evaluation after the other. */
export type Worker = ReturnType<typeof startWorker>;

export interface WorkerOptions {
  readonly uuid: () => string;
  readonly types: readonly string[];
  readonly clock: Clock;
  readonly broker: Broker;
  readonly process: (delivery: Delivery, processing: Processing) => Promise<void>;
  /** Called for processed evaluations, after the broker is notified. */
  readonly done: (delivery: Delivery) => void;
  /** Called for evaluations that could not be processed. */
  readonly failed: (error: unknown, delivery: Delivery) => void;
}

/** Initial delay after a failure, in ms; doubled each time up to the maximum. */
const minBackoffMs = 100;
const maxBackoffMs = 5_000;

export function startWorker(options: WorkerOptions) {
  const { uuid, types, clock, broker, process, done, failed } = options;
  /** Created on demand. */
  let id: string | null = null;
  const started = new Date(clock.now()).toISOString();
  let status: WorkerStatus = 'Starting';
  let workload: WorkloadStatus = 'UnknownStatus';
  let isPaused = false;
  let isStopping = false;
  let hasWork = false;
  let failures = 0;
  /** Interrupts the current wait of the worker. */
  let wake: (() => void) | null = null;

  function rest(arm: (wake: () => void) => () => void): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        wake = null;
        withdraw();
        resolve();
      };
      const withdraw = arm(finish);
      wake = finish;
    });
  }

  async function pauseWhileRequested(): Promise<void> {
    while (isPaused && !isStopping) {
      [status, workload] = ['Paused', 'Paused'];
      await rest(() => () => undefined);
    }
    if (!isStopping) status = 'Started';
  }

  async function handle(delivery: Delivery): Promise<void> {
    const { evaluation, token } = delivery;
    [hasWork, workload] = [true, 'Running'];
    try {
      await process(delivery, {
        report: (now) => void (workload = now),
        isOwned: () => broker.owns(evaluation.ID, token),
      });
      broker.acknowledge(evaluation.ID, token);
      done(delivery);
      failures = 0;
    } catch (error) {
      broker.refuse(evaluation.ID, token);
      failed(error, delivery);
      if (isStopping) return;
      workload = 'Backoff';
      const wait = Math.min(minBackoffMs * 2 ** failures, maxBackoffMs);
      failures += 1;
      await rest((resume) => clock.after(wait, resume));
    } finally {
      hasWork = false;
    }
  }

  async function work(): Promise<void> {
    while (!isStopping) {
      await pauseWhileRequested();
      if (isStopping) break;
      const delivery = broker.dequeue(types);
      if (delivery !== null) await handle(delivery);
      else {
        workload = 'WaitingToDequeue';
        await rest((resume) => broker.whenReady(resume));
      }
    }
    [status, workload] = ['Stopped', 'Stopped'];
  }

  const ended = work();
  return {
    state: (): WorkerState => ({
      id: (id ??= uuid()),
      enabledSchedulers: types,
      started,
      status,
      workloadStatus: workload,
    }),
    /** Pauses or resumes it; it finishes its current evaluation. */
    pause(paused: boolean): void {
      if (isPaused === paused) return;
      isPaused = paused;
      if (hasWork) status = paused ? 'Pausing' : 'Resuming';
      else [status, workload] = paused ? ['Paused', 'Paused'] : ['Started', 'WaitingToDequeue'];
      wake?.();
    },
    /** Resolves when it has finished its current evaluation. */
    async stop(): Promise<void> {
      status = 'Stopping';
      isStopping = true;
      wake?.();
      await ended;
    },
  };
}
