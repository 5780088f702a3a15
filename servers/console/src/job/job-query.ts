import type { JobQuery } from '../live/reading.js';

/** The key of a job. */
export interface JobName {
  readonly ID: string;
  readonly Namespace: string;
}

/** The rights needed to see a job and its objects. */
export const readRight = 'read-job in its namespace';

/** Returns the route of a job. */
export function jobPath({ ID }: JobName, rest = ''): string {
  return `/v1/job/${encodeURIComponent(ID)}${rest}`;
}

/** Returns a request to a route below that of a job. */
export function jobQuery(job: JobName, rest: string, topics: readonly string[]): JobQuery {
  return { path: jobPath(job, rest), query: { namespace: job.Namespace }, topics };
}
