import type { Job } from './job.js';

/** What changes without the user changing the job. */
export const notSpecified: ReadonlySet<string> = new Set<keyof Job>([
  'Status',
  'StatusDescription',
  'Stable',
  'Version',
  'SubmitTime',
  'CreateIndex',
  'ModifyIndex',
  'JobModifyIndex',
  'SchedulerTokenID',
  'VersionTag',
]);

/** Whether two completed jobs ask for the same: then registering the one over the other makes no new version. */
export function isSameSpec(a: Job, b: Job): boolean {
  return Object.entries(a).every(
    ([name, value]) => notSpecified.has(name) || isSame(value, b[name as keyof Job]),
  );
}

/** Deep equality in which an empty list or map is the same as none. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
