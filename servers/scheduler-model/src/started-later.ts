import type { Job } from './job.js';

/** Whether a job is started by time or by dispatch: nothing is evaluated when it is written. */
export function isStartedLater(job: Job): boolean {
  return job.Periodic !== null || (job.ParameterizedJob !== null && !job.Dispatched);
}
