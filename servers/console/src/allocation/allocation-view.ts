import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskState } from '@tamis/scheduler-model/wire/task-state.js';

/** An allocation as the agent shows it: empty fields are left out. */
export type AllocationView = Pick<Allocation, 'ID' | 'Namespace' | 'JobID'> & Partial<Allocation>;

/** The tasks of an allocation by their names: those that have a state, and those of its job that have none yet. */
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

/** Whether something of it may still run. */
export function isGoing({ ClientStatus = 'pending' }: AllocationView): boolean {
  return ClientStatus === 'pending' || ClientStatus === 'running' || ClientStatus === 'unknown';
}
