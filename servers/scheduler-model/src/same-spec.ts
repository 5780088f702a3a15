import type { Job } from './job.js';

/** Fields that change without the user changing the job. */
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

/** Whether two completed jobs are equivalent, so that registering one over the other creates no new version. */
export function isSameSpec(a: Job, b: Job): boolean {
  return Object.entries(a).every(
    ([name, value]) => notSpecified.has(name) || isSame(value, b[name as keyof Job]),
  );
}

/** Deep equality in which an empty list or map equals a missing one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  const [left, right] = [a, b] as Readonly<Record<string, unknown>>[];
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(left?.[key], right?.[key]))
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  // Avoids a list of the keys, because there may be many.
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
