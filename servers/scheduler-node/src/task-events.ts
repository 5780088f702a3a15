import type { TaskEvent, TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';

/** Maximum number of events stored per task. Prevents endless restarts from growing the row without bound. */
const maxEvents = 10;

export const newTaskState: TaskState = Object.freeze({
  State: 'pending',
  Failed: false,
  Restarts: 0,
  LastRestart: null,
  StartedAt: null,
  FinishedAt: null,
  Events: Object.freeze([]),
});

/**
 * Returns the initial state of a task that an earlier run of the agent ran: with its events and restarts, about to start.
 * Imported rows may contain any value.
 */
export function resumeTaskState(stored: StoredTaskState | null): TaskState {
  if (stored === null) return newTaskState;
  return {
    ...newTaskState,
    Restarts: Number(stored.Restarts),
    LastRestart: stored.LastRestart,
    Events: (stored.Events ?? []) as readonly TaskEvent[],
  };
}

/** Returns the last state of a task that no longer runs. */
export function endedTaskState(stored: StoredTaskState | null, now: number): TaskState {
  const { Failed = false, StartedAt = null, FinishedAt = null } = stored ?? {};
  const finished = FinishedAt ?? new Date(now).toISOString();
  return { ...resumeTaskState(stored), State: 'dead', Failed, StartedAt, FinishedAt: finished };
}

/** The state of a task as stored in the row of its allocation. */
export type StoredTaskState = NonNullable<NonNullable<Allocation['TaskStates']>[string]>;

/** Adds an event at `now` in ms; drops the oldest one if there are too many. */
export function withTaskEvent(
  state: TaskState,
  now: number,
  Type: string,
  DisplayMessage: string,
  more: Partial<Pick<TaskEvent, 'Details' | 'ExitCode' | 'Signal' | 'FailsTask'>> = {},
): TaskState {
  const nanoseconds = BigInt(Math.trunc(now)) * 1_000_000n;
  const event: TaskEvent = {
    Type,
    Time: nanoseconds,
    DisplayMessage,
    Details: {},
    ExitCode: 0,
    Signal: 0,
    FailsTask: false,
    ...more,
  };
  return { ...state, Events: [...state.Events, event].slice(-maxEvents) };
}
