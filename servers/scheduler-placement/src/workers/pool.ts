import { startWorker, type Worker, type WorkerOptions } from './worker.js';
import type { WorkerConfig, WorkerPool } from './worker-pool.js';

/** A pool with running workers. */
export interface RunningPool extends WorkerPool {
  /** Recomputes how many workers are paused. */
  readonly adjust: () => void;
  /** Stops the workers permanently. Resolves when each has finished its current evaluation. */
  close(): Promise<void>;
}

export interface PoolOptions extends Omit<WorkerOptions, 'types'> {
  readonly serverId: string;
  readonly config: WorkerConfig;
  /** Whether this server is the leader and other servers share the work. */
  readonly leadsOthers: () => boolean;
}

/** Share of its workers that a leader pauses if other servers share the work. The leader has other duties. */
const restingShare = 3 / 4;

/** Starts workers. A configuration change replaces them all: the old ones finish their current evaluation. */
export function startPool(options: PoolOptions): RunningPool {
  const { serverId, leadsOthers } = options;
  let { config } = options;
  let workers = startWorkers();
  /** Workers that finish their current evaluation. */
  const leaving = new Set<Promise<void>>();

  function startWorkers(): readonly Worker[] {
    const types = config.enabledSchedulers;
    return Array.from({ length: config.numSchedulers }, () => startWorker({ ...options, types }));
  }

  function adjust(): void {
    const resting = leadsOthers() && workers.length > 1 ? Math.floor(workers.length * restingShare) : 0;
    for (const [at, worker] of workers.entries()) worker.pause(at < resting);
  }

  function stopWorkers(): void {
    for (const worker of workers) {
      const leave = worker.stop().finally(() => leaving.delete(leave));
      leaving.add(leave);
    }
  }

  return {
    serverId,
    workers() {
      adjust();
      return workers.map((worker) => worker.state());
    },
    config: () => config,
    configure(requested) {
      if (isSame(requested, config)) return;
      config = requested;
      stopWorkers();
      workers = startWorkers();
      adjust();
    },
    adjust,
    async close() {
      stopWorkers();
      workers = [];
      await Promise.all(leaving);
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
