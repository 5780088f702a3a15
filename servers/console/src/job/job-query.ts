import type { JobQuery } from '../live/reading.js';

/** What a job is known by. */
export interface JobName {
  readonly ID: string;
  readonly Namespace: string;
}

/** What a token needs to see a job and what belongs to it. */
export const readRight = 'read-job in its namespace';

/** The route of a job. */
export function jobPath({ ID }: JobName, rest = ''): string {
  return `/v1/job/${encodeURIComponent(ID)}${rest}`;
}

/** A question to a route below that of a job. */
export function jobQuery(job: JobName, rest: string, topics: readonly string[]): JobQuery {
  return { path: jobPath(job, rest), query: { namespace: job.Namespace }, topics };
}
