import type { JobDiff, TaskDiff, TaskGroupDiff } from './job-diff.js';

/** Number of allocations of a group per kind of update, as clients show them. */
export type UpdateCounts = Readonly<Record<string, number>>;

/** Adds the effects on allocations to the differences of a job. @param updates by group name. */
export function annotateDiff(diff: JobDiff, updates: ReadonlyMap<string, UpdateCounts>): JobDiff {
  const groups =
    diff.TaskGroups?.map((group) => annotateGroup(group, updates.get(group.Name) ?? null)) ?? null;
  return { ...diff, TaskGroups: groups };
}

function annotateGroup(group: TaskGroupDiff, updates: UpdateCounts | null): TaskGroupDiff {
  const Tasks = group.Tasks?.map((task) => annotateTask(task, group, updates)) ?? null;
  return { ...group, Tasks, Updates: updates };
}

function annotateTask(task: TaskDiff, group: TaskGroupDiff, updates: UpdateCounts | null): TaskDiff {
  const word = forced(task, group, updates);
  return word === null ? task : { ...task, Annotations: [`forces ${word}`] };
}

/** Returns the effect of a changed task on its allocations; null if none exists. */
function forced(task: TaskDiff, group: TaskGroupDiff, updates: UpdateCounts | null): string | null {
  if (task.Type === 'None') return null;
  if (group.Type === 'Added') return 'create';
  if (group.Type === 'Deleted') return 'destroy';
  if (updates?.['in-place update'] !== undefined) return 'in-place update';
  return task.Type === 'Edited' && updates?.['create/destroy update'] === undefined
    ? null
    : 'create/destroy update';
}
