import type { Steps } from '@tamis/http';
import type { Job } from '../job.js';
import { readBlocks, serviceShape } from '../job-blocks.js';
import type { TaskGroup } from '../task-group.js';
import { conditionErrors } from './conditions.js';
import { formatDuration, when, within } from './findings.js';
import { clip, quote } from '../quote.js';
import { networkErrors } from './networks.js';
import { migrateErrors, rescheduleErrors, restartErrors, updateErrors } from './policies.js';
import { diskErrors } from './resources.js';
import { serviceErrors } from './services.js';
import { metaErrors, taskErrors } from './task.js';

/** Maximum length of a name, in bytes. Prevents names that are too long for lists and URLs. */
const maxNameLength = 1_024;

/** Maximum number of allocations per job. Prevents a single number from filling all nodes and slowing all work on the job. */
const maxAllocations = 100_000n;

/** Returns mistakes in the groups of a job. */
export function* groupsErrors({ Type: type, TaskGroups }: Job): Steps<string[]> {
  const groups = TaskGroups ?? [];
  const errors = [
    ...nameErrors(
      groups,
      (place) => `Job task group ${place} missing name`,
      (place, name, first) => `Job task group ${place} redefines '${clip(name)}' from group ${first}`,
    ),
    ...groups.flatMap(({ Name, Count }) =>
      when(
        type === 'system' && Count > 1,
        `Job task group ${clip(Name)} has count ${Count}. Count cannot exceed 1 with system scheduler`,
      ),
    ),
  ];
  errors.push(...allocationErrors(groups, type));
  for (const group of groups) {
    yield;
    const found = yield* groupErrors(group, type);
    errors.push(...within(`Task group ${clip(group.Name)}`, found));
  }
  return errors;
}

/** Returns an error if there are too many allocations. Jobs that run once on every node are limited by the number of nodes. */
function allocationErrors(groups: readonly TaskGroup[], type: string): string[] {
  if (type === 'system' || type === 'sysbatch') return [];
  const requested = groups.map(({ Name, Count, Update }) => ({
    Name,
    total: clampToZero(Count) + clampToZero(Update?.Canary ?? 0),
  }));
  const sum = requested.reduce((all, { total }) => all + total, 0n);
  if (sum <= maxAllocations) return [];
  const biggest = requested.reduce((max, each) => (each.total > max.total ? each : max));
  return [
    `Job has ${sum} allocations by the counts and canaries of its task groups, more than ${maxAllocations}: ` +
      `task group ${quote(biggest.Name)} has ${biggest.total}`,
  ];
}

function clampToZero(count: number | bigint): bigint {
  return count > 0 ? BigInt(count) : 0n;
}

function* groupErrors(group: TaskGroup, type: string): Steps<string[]> {
  const tasks = group.Tasks ?? [];
  const errors = [
    ...when(group.Name.includes('\0'), 'Task group name contains null character'),
    ...when(
      Buffer.byteLength(group.Name) > maxNameLength,
      `Task group name is longer than ${maxNameLength} bytes`,
    ),
    ...when(group.Count < 0, "Task group count can't be negative"),
    ...when(tasks.length === 0, () => missingTasks(group)),
    ...metaErrors(group.Meta),
    ...conditionErrors(group, type),
    ...restartErrors(group.RestartPolicy),
    ...rescheduleErrors(group.ReschedulePolicy, type),
    ...diskErrors(group.EphemeralDisk),
    ...updateErrors(group.Update, type),
    ...migrateErrors(group.Migrate, type),
    ...durationErrors(group),
    ...nameErrors(
      tasks,
      (place) => `Task ${place} missing name`,
      (place, name, first) => `Task ${place} redefines '${clip(name)}' from task ${first}`,
    ),
    ...when(tasks.filter(({ Leader }) => Leader).length > 1, 'Only one task may be marked as leader'),
    ...when(
      tasks.length > 0 && tasks.every(({ Lifecycle }) => (Lifecycle?.Hook ?? '') !== ''),
      'Task group has only tasks with a lifecycle hook, at least one must be a main task',
    ),
    ...within('Task group network', networkErrors(group)),
    ...within('Task group service', serviceErrors(group)),
    ...within('Task group scaling policy', scalingErrors(group, type)),
  ];
  for (const task of tasks) {
    yield;
    errors.push(...within(`Task ${clip(task.Name)}`, taskErrors(task, group, type)));
  }
  return errors;
}

/** The original scheduler adds the task of a gateway itself. */
function missingTasks({ Services }: TaskGroup): string {
  const isGateway = readBlocks(serviceShape, Services).some(({ Connect }) => Connect?.Gateway !== undefined);
  return isGateway
    ? 'Services.Connect.Gateway: gateways of Connect are not started here, and the group has no tasks of its own'
    : 'Missing tasks for task group';
}

/** Durations cannot be negative. */
function durationErrors(group: TaskGroup): string[] {
  const { ShutdownDelay, MaxRunDuration, StopAfterClientDisconnect, MaxClientDisconnect } = group;
  const durations = { ShutdownDelay, MaxRunDuration, StopAfterClientDisconnect, MaxClientDisconnect };
  return Object.entries(durations).flatMap(([name, duration]) =>
    when(
      duration !== null && duration < 0,
      () => `${name} must be a positive value (got ${formatDuration(duration ?? 0)})`,
    ),
  );
}

/** Returns errors for missing or duplicate names. Positions start at 1. */
function nameErrors(
  named: readonly { readonly Name: string }[],
  missing: (place: number) => string,
  twice: (place: number, name: string, first: number) => string,
): string[] {
  const places = new Map<string, number>();
  const errors: string[] = [];
  for (const [at, { Name }] of named.entries()) {
    const first = places.get(Name);
    if (Name === '') errors.push(missing(at + 1));
    else if (first !== undefined) errors.push(twice(at + 1, Name, first));
    else places.set(Name, at + 1);
  }
  return errors;
}

/** Checks the bounds of a group's count, which apply even without an autoscaler. */
function scalingErrors({ Scaling, Count }: TaskGroup, type: string): string[] {
  if (Scaling === null) return [];
  const { Min, Max } = Scaling;
  return [
    ...when(
      type === 'system' || type === 'sysbatch',
      `must not be set for a job of type ${type}, which has one of each on every node`,
    ),
    ...when(Max < 0, 'maximum count must be specified and non-negative'),
    ...when(Max >= 0 && Max < Min, 'maximum count must not be less than minimum count'),
    ...when(Min < 0, 'minimum count must be specified and non-negative'),
    ...when(Count > Max, 'task group count must not be greater than maximum count in scaling policy'),
    ...when(Count < Min, 'task group count must not be less than minimum count in scaling policy'),
  ].map((error) => `Scaling policy invalid: ${error}`);
}
