import type { WorkerConfig, WorkerPool, WorkerState } from './worker-pool.js';

export interface IdleWorkersOptions {
  readonly serverId: string;
  readonly config: WorkerConfig;
  readonly uuid: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Workers to whom nothing is given: they are there, and wait. */
export function createIdleWorkers({ serverId, config, uuid, now }: IdleWorkersOptions): WorkerPool {
  let current = config;
  let started = new Date(now()).toISOString();
  let workers: readonly WorkerState[] | null = null;

  function hire(): readonly WorkerState[] {
    const { numSchedulers, enabledSchedulers } = current;
    return Array.from({ length: numSchedulers }, () => ({
      id: uuid(),
      enabledSchedulers,
      started,
      status: 'Started',
      workloadStatus: 'WaitingToDequeue',
    }));
  }

  return {
    serverId,
    workers: () => (workers ??= hire()),
    config: () => current,
    configure(wanted) {
      if (isSame(wanted, current)) return;
      current = wanted;
      started = new Date(now()).toISOString();
      workers = null;
    },
  };
}

function isSame(a: WorkerConfig, b: WorkerConfig): boolean {
  const types = new Set(a.enabledSchedulers);
  return (
    a.numSchedulers === b.numSchedulers &&
    types.size === new Set(b.enabledSchedulers).size &&
    b.enabledSchedulers.every((type) => types.has(type))
  );
}
