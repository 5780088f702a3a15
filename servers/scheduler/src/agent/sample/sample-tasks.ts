import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { groupOf } from '@tamis/scheduler-model/allocation.js';
import type { TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import { newTaskState, withTaskEvent } from '@tamis/scheduler-node/task-events.js';

/** Converts ms since 1970 to a timestamp in ns. */
export const stampOf = (milliseconds: number): bigint => BigInt(Math.trunc(milliseconds)) * 1_000_000n;

/** Converts ms since 1970 to RFC 3339. */
export const instantOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Possible ends of a task. */
export type TaskEnd = 'completed' | 'killed' | 'failed';

/** Returns the state of a task started at a time in ms since 1970. */
export function startedTask(at: number): TaskState {
  const received = withTaskEvent(newTaskState, at, 'Received', 'Task received by client');
  const started = withTaskEvent(received, at, 'Started', 'Task started by client');
  return { ...started, State: 'running', StartedAt: instantOf(at) };
}

/** Returns the state of a task after its end. */
export function endedTask(state: TaskState, at: number, end: TaskEnd): TaskState {
  const ended =
    end === 'killed'
      ? withTaskEvent(state, at, 'Killed', 'Task successfully killed')
      : withTaskEvent(state, at, 'Terminated', `Exit Code: ${end === 'failed' ? 1 : 0}`, {
          ExitCode: end === 'failed' ? 1 : 0,
        });
  return { ...ended, State: 'dead', Failed: end === 'failed', FinishedAt: instantOf(at) };
}

/** Applies a change to the state of each task of an allocation, or to a new state. */
export function taskStates(
  allocation: Pick<Allocation, 'Job' | 'TaskGroup' | 'TaskStates'>,
  change: (state: TaskState) => TaskState,
): Record<string, TaskState> {
  const states = (allocation.TaskStates ?? {}) as Readonly<Record<string, TaskState>>;
  const tasks = groupOf(allocation)?.Tasks ?? [];
  return Object.fromEntries(tasks.map(({ Name }) => [Name, change(states[Name] ?? newTaskState)]));
}
