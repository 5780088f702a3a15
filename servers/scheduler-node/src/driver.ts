/** A task as a driver gets it: all references are resolved to strings. */
export interface TaskSpec {
  /** The ID of its allocation. */
  readonly allocation: string;
  readonly name: string;
  /** The `Config` of the task, whose keys the driver defines. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The user of this machine to run it as; empty for the agent's own. */
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A directory of the task's own. */
  readonly directory: string;
  /** The destination of the output. */
  readonly logs: TaskLogs;
}

/** The files in which the output of a task is kept. */
export interface TaskLogs {
  /** Null when nothing is kept. */
  readonly directory: string | null;
  /** The name of the task, with which the names of its files begin. */
  readonly name: string;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
}

/** The end of a task, by itself or by force. */
export interface TaskExit {
  /** 0 is success. */
  readonly code: number;
  /** The number of the signal that ended it, 0 for none. */
  readonly signal: number;
  /** The failure message; empty if the code is sufficient. */
  readonly message: string;
}

/** A task that has been started. */
export interface RunningTask {
  /** Settles when the task is over; never rejects. */
  readonly exit: Promise<TaskExit>;
  /** A non-fatal warning for its owner; null for none. */
  readonly warning: string | null;
  /** Sends a signal, such as `SIGINT`, to the task, and kills it if it is still running after `killTimeout` milliseconds. */
  stop(signal: string, killTimeout: number): void;
  /** Sends the task a signal, which its program may handle or ignore. */
  signal(signal: NodeJS.Signals): void;
}

/** The health of a driver, as its node shows it. */
export interface DriverHealth {
  readonly detected: boolean;
  readonly healthy: boolean;
  readonly description: string;
}

/** A way to run tasks. */
export interface TaskDriver {
  readonly name: string;
  health(): DriverHealth;
  /**
   * Starts a task, unless it is stopped before it has begun.
   *
   * @throws DriverError if it cannot be started.
   */
  start(task: TaskSpec, stopping: AbortSignal): Promise<RunningTask>;
  /** Ends all tasks by force, at once: the process of the agent is about to end. */
  abandon(): void;
}

/** A task that cannot be started. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  /** Whether a retry may succeed. */
  readonly isRecoverable: boolean;

  constructor(message: string, isRecoverable: boolean) {
    super(message);
    this.isRecoverable = isRecoverable;
  }
}
