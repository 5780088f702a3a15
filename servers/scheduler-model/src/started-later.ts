import type { Job } from './job.js';

/** Whether a job is periodic or parameterised, so that registering it creates no evaluation. */
export function isStartedLater(job: Job): boolean {
  return job.Periodic !== null || (job.ParameterizedJob !== null && !job.Dispatched);
}
