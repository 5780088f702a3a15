import { jobKey } from './job.js';

interface Created {
  readonly ID: string;
  readonly CreateIndex: number | bigint;
}

/** The order of rows that are listed oldest first. */
export const byAge = Object.freeze({
  index: ({ CreateIndex }: Created) => CreateIndex,
  text: ({ ID }: Created) => ID,
});

/** The fields by which a row names the job that it belongs to. */
export interface JobName {
  readonly Namespace: string;
  readonly JobID: string;
}

/** The key of the job that a row belongs to. */
export function jobOfRow({ Namespace, JobID }: JobName): string {
  return jobKey({ Namespace, ID: JobID });
}
