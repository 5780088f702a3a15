import { completeJob, submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { examineJob } from '@tamis/scheduler-model/job-validation.js';
import { readShape } from '@tamis/scheduler-model/read-shape.js';

export const second = 1_000_000_000;
export const now = Date.UTC(2026, 0, 1);

/** A job in JSON, as a client would send it. */
export type Body = Readonly<Record<string, unknown>>;

export const task: Body = { Name: 't', Driver: 'raw_exec', Config: { command: '/bin/true' } };

/** The smallest job that is right, with changes to the job, its group or its task. */
export function jobWith(change: Place): Body {
  const { job = {}, group = {}, task: more = {} } = change;
  return { ID: 'x', TaskGroups: [{ Name: 'g', Tasks: [{ ...task, ...more }], ...group }], ...job };
}

export interface Place {
  readonly job?: Body;
  readonly group?: Body;
  readonly task?: Body;
}

export function complete(body: Body): Job {
  const submitted = readShape(submittedJobShape, body, 'Job');
  return completeJob(submitted, { namespace: 'default', region: 'global' });
}

/** What is wrong with a job, without the frames that say in which group and task. */
export function mistakesOf(body: Body): string[] {
  return examineJob(complete(body), now).errors.map((text) => text.replace(/\n+$/, ''));
}
