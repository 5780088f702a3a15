/** A task as a driver receives it, with all references resolved. */
export interface TaskSpec {
  /** ID of its allocation. */
  readonly allocation: string;
  readonly name: string;
  /** The `Config` of the task, whose keys the driver defines. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The local user to run it as; empty for the agent's own. */
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The task's own directory. */
  readonly directory: string;
  /** The destination of the output. */
  readonly logs: TaskLogs;
}

/** Location of the task's output files. */
export interface TaskLogs {
  /** Null if no output is stored. */
  readonly directory: string | null;
  /** Name of the task, the prefix of its file names. */
  readonly name: string;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
}

/** The end of a task: exit code, signal and message. */
export interface TaskExit {
  /** Exit code; 0 is success. */
  readonly code: number;
  /** Number of the signal that ended it; 0 for none. */
  readonly signal: number;
  /** The failure message; empty if the code is sufficient. */
  readonly message: string;
}

/** A started task. */
export interface RunningTask {
  /** Settles when the task has ended; never rejects. */
  readonly exit: Promise<TaskExit>;
  /** A non-fatal warning for the owner of the job; null if none exists. */
  readonly warning: string | null;
  /** Sends a signal such as `SIGINT`, and kills the task if it still runs after `killTimeout` ms. */
  stop(signal: string, killTimeout: number): void;
  /** Sends a signal, which the program may handle or ignore. */
  signal(signal: NodeJS.Signals): void;
}

/** The health of a driver, as its node shows it. */
export interface DriverHealth {
  readonly detected: boolean;
  readonly healthy: boolean;
  readonly description: string;
}

/** Runs tasks of one type. */
export interface TaskDriver {
  readonly name: string;
  health(): DriverHealth;
  /**
   * Starts a task, unless it is stopped before.
   *
   * @throws DriverError if it cannot be started.
   */
  start(task: TaskSpec, stopping: AbortSignal): Promise<RunningTask>;
  /** Kills all tasks immediately, because the agent's process is about to end. */
  abandon(): void;
}

/** Error of a task that cannot be started. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  /** Whether a retry may succeed. */
  readonly isRecoverable: boolean;

  constructor(message: string, isRecoverable: boolean) {
    super(message);
    this.isRecoverable = isRecoverable;
  }
}
