import { harmless } from '../../terminal/harmless.js';
import type { JobDefinition } from '../../job-file/job-definition.js';
import { readJobFile } from '../../job-file/read-job-file.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';

/** The job in the file that a command names. @throws ConfigError, CommandError, an error of the file system */
export async function readJobArgument({ readFile }: Session, given: Given): Promise<JobDefinition> {
  const file = given.required('FILE');
  return readJobFile((await readFile(file)).toString('utf8'), file === '-' ? 'standard input' : file);
}

/** A text of a job, whatever the case of its key: the API matches names in any case. Empty for none. */
export function textOf(job: JobDefinition, name: string): string {
  const value = Object.entries(job).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return typeof value === 'string' ? value : '';
}

/** The warnings of an answer, each on a line of its own, on standard error. */
export async function writeWarnings({ err, palette }: Session, warnings: string): Promise<void> {
  if (warnings === '') return;
  const lines = warnings.split('\n').filter((line) => line.trim() !== '');
  const isCounted = /^\d+ (?:warning|error)s? occurred:$/.test((lines[0] ?? '').replace('(s)', ''));
  const shown = (isCounted ? lines.slice(1) : lines).map((line) => line.replace(/^[\s*]+/, ''));
  for (const line of shown) await err.write(`${palette.waiting('warning:')} ${harmless(line)}\n`);
}
