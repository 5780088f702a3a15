import type { Job } from '@tamis/scheduler-model/job.js';
import { isSame } from '@tamis/scheduler-model/same-spec.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import type { Task } from '@tamis/scheduler-model/task.js';

/** The change from an allocation's job version to the current one. */
export type SpecChange = 'none' | 'in-place' | 'destructive';

/** Fields that may change without restarting a group. Resource requirements are checked separately. */
const nonDestructiveOfGroup: ReadonlySet<string> = new Set<keyof TaskGroup>([
  'Tasks',
  'Count',
  'Update',
  'Migrate',
  'Constraints',
  'Scaling',
  'RestartPolicy',
  'Disconnect',
  'ReschedulePolicy',
  'Services',
  'ShutdownDelay',
  'StopAfterClientDisconnect',
  'MaxClientDisconnect',
  'PreventRescheduleOnLost',
]);
const nonDestructiveOfTask: ReadonlySet<string> = new Set<keyof Task>([
  'Services',
  'Constraints',
  'RestartPolicy',
  'KillTimeout',
  'KillSignal',
  'ShutdownDelay',
  'ScalingPolicies',
  'Leader',
  'Actions',
]);

/** Returns the kind of change from `before` to `after`. */
export function specChange(before: Job | null, after: Job, group: TaskGroup): SpecChange {
  if (before === null) return 'destructive';
  const isSameVersion =
    before.Version === after.Version &&
    before.CreateIndex === after.CreateIndex &&
    before.JobModifyIndex === after.JobModifyIndex;
  if (isSameVersion) return 'none';
  const old = before.TaskGroups?.find(({ Name }) => Name === group.Name);
  if (old === undefined || !isSame(before.Meta, after.Meta)) return 'destructive';
  if (!isSame(before.Affinities, after.Affinities) || !isSame(before.Spreads, after.Spreads)) {
    return 'destructive';
  }
  const tasks = group.Tasks ?? [];
  const oldTasks = new Map((old.Tasks ?? []).map((task) => [task.Name, task]));
  const retainsTasks =
    oldTasks.size === tasks.length &&
    tasks.every((task) => isSameBut(oldTasks.get(task.Name), task, nonDestructiveOfTask));
  return retainsTasks && isSameBut(old, group, nonDestructiveOfGroup) ? 'in-place' : 'destructive';
}

function isSameBut<T extends object>(
  before: T | undefined,
  after: T,
  nonDestructive: ReadonlySet<string>,
): boolean {
  if (before === undefined) return false;
  return Object.entries(after).every(
    ([name, value]) => nonDestructive.has(name) || isSame(before[name as keyof T], value),
  );
}
