import { jobKey } from './job.js';

interface Created {
  readonly ID: string;
  readonly CreateIndex: number | bigint;
}

/** The order of rows listed oldest first. */
export const byAge = Object.freeze({
  index: ({ CreateIndex }: Created) => CreateIndex,
  text: ({ ID }: Created) => ID,
});

/** The fields by which a row refers to its job. */
export interface JobName {
  readonly Namespace: string;
  readonly JobID: string;
}

/** Returns the key of the job of a row. */
export function jobOfRow({ Namespace, JobID }: JobName): string {
  return jobKey({ Namespace, ID: JobID });
}
