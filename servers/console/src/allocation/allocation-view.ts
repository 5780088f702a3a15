import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskState } from '@tamis/scheduler-model/wire/task-state.js';

/** An allocation as the agent returns it: empty fields are omitted. */
export type AllocationView = Pick<Allocation, 'ID' | 'Namespace' | 'JobID'> & Partial<Allocation>;

/** Returns the task names of an allocation: tasks with a state, and tasks of its job without one. */
export function tasksOf({
  Job,
  TaskGroup,
  TaskStates,
}: AllocationView): ReadonlyMap<string, TaskState | null> {
  const group = Job?.TaskGroups?.find(({ Name }) => Name === TaskGroup);
  const names = (group?.Tasks ?? []).map(({ Name }) => Name);
  const states = new Map<string, TaskState | null>(names.map((name) => [name, null]));
  for (const [name, state] of Object.entries(TaskStates ?? {}))
    states.set(name, state as unknown as TaskState | null);
  return states;
}

/** Whether the allocation may still have running tasks. */
export function isRunning({ ClientStatus = 'pending' }: AllocationView): boolean {
  return ClientStatus === 'pending' || ClientStatus === 'running' || ClientStatus === 'unknown';
}
