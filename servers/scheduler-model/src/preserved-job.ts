import type { Job } from './job.js';
import type { TaskGroup } from './task-group.js';

/** The fields that a registration preserves from the stored job, because another system such as an autoscaler sets them. */
export interface Preserved {
  readonly counts: boolean;
  readonly resources: boolean;
}

/** Returns a job with the preserved fields of the stored one. New groups and tasks keep the submitted values. */
export function preserveJob(job: Job, stored: Job | null, { counts, resources }: Preserved): Job {
  if (stored === null || !(counts || resources)) return job;
  const groups = new Map((stored.TaskGroups ?? []).map((group) => [group.Name, group]));
  const preserve = (group: TaskGroup): TaskGroup => {
    const before = groups.get(group.Name);
    if (before === undefined) return group;
    const counted = counts ? { ...group, Count: before.Count } : group;
    return resources ? withResources(counted, before) : counted;
  };
  return { ...job, TaskGroups: job.TaskGroups?.map(preserve) ?? null };
}

function withResources(group: TaskGroup, before: TaskGroup): TaskGroup {
  const tasks = new Map((before.Tasks ?? []).map((task) => [task.Name, task]));
  const Tasks = group.Tasks?.map((task) => ({
    ...task,
    Resources: tasks.get(task.Name)?.Resources ?? task.Resources,
  }));
  return { ...group, Tasks: Tasks ?? null };
}
