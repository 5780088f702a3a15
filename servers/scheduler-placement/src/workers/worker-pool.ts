/** How far along a worker is in its life. */
export type WorkerStatus =
  'Starting' | 'Started' | 'Pausing' | 'Paused' | 'Resuming' | 'Stopping' | 'Stopped' | 'Unknown';

/** What a worker is doing at the moment. */
export type WorkloadStatus =
  | 'UnknownStatus'
  | 'Running'
  | 'WaitingToDequeue'
  | 'WaitingForRaft'
  | 'Scheduling'
  | 'Submitting'
  | 'Backoff'
  | 'Stopped'
  | 'Paused';

/** One worker, as it is now. */
export interface WorkerState {
  /** A UUID, new whenever the workers are replaced. */
  readonly id: string;
  /** The types of evaluations that it takes. */
  readonly enabledSchedulers: readonly string[];
  /** RFC 3339 in UTC. */
  readonly started: string;
  readonly status: WorkerStatus;
  readonly workloadStatus: WorkloadStatus;
}

/** How many workers there are and what they take. */
export interface WorkerConfig {
  readonly numSchedulers: number;
  readonly enabledSchedulers: readonly string[];
}

/** The workers of this server. */
export interface WorkerPool {
  /** The member name of the server that they run in, such as `srv1.global`. */
  readonly serverId: string;
  /** All workers, in no order that means anything. */
  workers(): readonly WorkerState[];
  config(): WorkerConfig;
  /**
   * Replaces every worker when the configuration differs from the present one, and does nothing otherwise. It has
   * been checked: from no workers to one a CPU, `_core` among the types, no type unknown.
   */
  configure(config: WorkerConfig): void;
}
