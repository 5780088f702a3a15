import { readHclJob } from '@tamis/scheduler-command/job-file/hcl-job.js';
import { writeJson } from 'tamis/internal';

/** Converts an HCL job to JSON, like `scheduler job run`. @throws ConfigError with the position of every mistake */
export function hclJobJson(text: string): string {
  return writeJson(readHclJob(text, 'definition'));
}
