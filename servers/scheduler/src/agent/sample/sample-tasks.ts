import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { groupOf } from '@tamis/scheduler-model/allocation.js';
import type { TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import { newTaskState, withTaskEvent } from '@tamis/scheduler-node/task-events.js';

/** Milliseconds since 1970 as a stamp in nanoseconds. */
export const stampOf = (milliseconds: number): bigint => BigInt(Math.trunc(milliseconds)) * 1_000_000n;

/** Milliseconds since 1970 as RFC 3339. */
export const instantOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** What became of a task. */
export type TaskEnd = 'completed' | 'killed' | 'failed';

/** The state of a task that was started at a time, in ms since 1970. */
export function startedTask(at: number): TaskState {
  const received = withTaskEvent(newTaskState, at, 'Received', 'Task received by client');
  const started = withTaskEvent(received, at, 'Started', 'Task started by client');
  return { ...started, State: 'running', StartedAt: instantOf(at) };
}

/** The state of a task after it has ended. */
export function endedTask(state: TaskState, at: number, end: TaskEnd): TaskState {
  const ended =
    end === 'killed'
      ? withTaskEvent(state, at, 'Killed', 'Task successfully killed')
      : withTaskEvent(state, at, 'Terminated', `Exit Code: ${end === 'failed' ? 1 : 0}`, {
          ExitCode: end === 'failed' ? 1 : 0,
        });
  return { ...ended, State: 'dead', Failed: end === 'failed', FinishedAt: instantOf(at) };
}

/** Applies a change to the state of every task of an allocation; of tasks without a state, to that of a new one. */
export function taskStates(
  allocation: Pick<Allocation, 'Job' | 'TaskGroup' | 'TaskStates'>,
  change: (state: TaskState) => TaskState,
): Record<string, TaskState> {
  const states = (allocation.TaskStates ?? {}) as Readonly<Record<string, TaskState>>;
  const tasks = groupOf(allocation)?.Tasks ?? [];
  return Object.fromEntries(tasks.map(({ Name }) => [Name, change(states[Name] ?? newTaskState)]));
}
