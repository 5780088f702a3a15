/** A task event as the allocation shows it. */
export interface TaskEvent {
  readonly Type: string;
  /** Time in ns since 1970. */
  readonly Time: number | bigint;
  readonly DisplayMessage: string;
  readonly Details: Readonly<Record<string, string>>;
  readonly ExitCode: number;
  readonly Signal: number;
  readonly FailsTask: boolean;
}

/** The state of a task as the allocation shows it. */
export interface TaskState {
  readonly State: 'pending' | 'running' | 'dead';
  readonly Failed: boolean;
  readonly Restarts: number;
  /** RFC 3339; null before the first restart. */
  readonly LastRestart: string | null;
  readonly StartedAt: string | null;
  readonly FinishedAt: string | null;
  readonly Events: readonly TaskEvent[];
}
