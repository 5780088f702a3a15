import { readHclJob } from '@tamis/scheduler-command/job-file/hcl-job.js';
import { writeJson } from 'tamis/internal';

/** The JSON of a job in HCL, as `scheduler job run` reads it. @throws ConfigError with the place of every mistake */
export function hclJobJson(text: string): string {
  return writeJson(readHclJob(text, 'definition'));
}
