/** Lifecycle status of a worker. */
export type WorkerStatus =
  'Starting' | 'Started' | 'Pausing' | 'Paused' | 'Resuming' | 'Stopping' | 'Stopped' | 'Unknown';

/** Current activity of a worker. */
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

/** A snapshot of one worker. */
export interface WorkerState {
  /** UUID, new whenever the workers are replaced. */
  readonly id: string;
  /** Types of evaluations that it processes. */
  readonly enabledSchedulers: readonly string[];
  /** Start time, RFC 3339 in UTC. */
  readonly started: string;
  readonly status: WorkerStatus;
  readonly workloadStatus: WorkloadStatus;
}

/** Number of workers and their evaluation types. */
export interface WorkerConfig {
  readonly numSchedulers: number;
  readonly enabledSchedulers: readonly string[];
}

/** The workers of this server. */
export interface WorkerPool {
  /** Member name of their server, such as `srv1.global`. */
  readonly serverId: string;
  /** Returns all workers in undefined order. */
  workers(): readonly WorkerState[];
  config(): WorkerConfig;
  /**
   * Replaces all workers if the configuration differs, otherwise does nothing. It must be valid: at most one worker per CPU,
   * `_core` included, known types only.
   */
  configure(config: WorkerConfig): void;
}
