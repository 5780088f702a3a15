import { ApiError } from '../api/api-error.js';
import { explainFindings, noRegion } from '../job-file/explain-findings.js';
import { createJobPlaces } from '../job-file/job-places.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import type { JobDefinition } from '../job-file/job-definition.js';
import { readJobFile } from '../job-file/read-job-file.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';

/** A job as written in its file. */
export type JobFile = Awaited<ReturnType<typeof readJobArgument>>;

/** Reads the job from the file in the arguments. @throws ConfigError, CommandError, an error of the file system */
export async function readJobArgument({ readFile }: Session, given: Given) {
  const file = given.required('FILE');
  const text = (await readFile(file)).toString('utf8');
  const name = file === '-' ? 'standard input' : file;
  const job = readJobFile(text, name);
  const places = createJobPlaces(text, name);
  const explain = (reported: string): string => explainFindings(reported, places);
  return {
    job,
    /** Returns a server's findings about it, with positions in the file. */
    explain,
    /** Sends a request about it. @throws ApiError with the positions of the findings */
    async send<T>(request: () => Promise<T>): Promise<T> {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 400 && error.message !== noRegion) throw error;
        throw new ApiError(error.status, explain(error.message));
      }
    },
  };
}

/** Returns the namespace of a job. If the file names a different one than the command line, a note says which is used. */
export async function namespaceOf(
  { err, namespace, palette }: Pick<Session, 'err' | 'namespace' | 'palette'>,
  job: JobDefinition,
): Promise<string> {
  const own = textOf(job, 'Namespace');
  if (namespace !== null && own !== '' && own !== namespace) {
    const reported = `the file says namespace ${JSON.stringify(own)}, and ${JSON.stringify(namespace)} is taken, as --namespace or SCHEDULER_NAMESPACE has it`;
    await err.write(`${palette.waiting('warning:')} ${sanitizeForTerminal(reported)}\n`);
  }
  return namespace ?? (own || 'default');
}

/** Returns a string field of a job, ignoring the case of its key as the API does. Empty if missing. */
export function textOf(job: JobDefinition, name: string): string {
  const value = Object.entries(job).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return typeof value === 'string' ? value : '';
}

/** Prints the warnings of a response on standard error, one per line. */
export async function writeWarnings(
  { err, palette }: Session,
  warnings: string,
  file: JobFile | null = null,
): Promise<void> {
  if (warnings === '') return;
  const lines = (file?.explain(warnings) ?? warnings).split('\n').filter((line) => line.trim() !== '');
  const isCounted = /^\d+ (?:warning|error)s?(?: occurred)?:$/.test((lines[0] ?? '').replace('(s)', ''));
  const printed = (isCounted ? lines.slice(1) : lines).map((line) => line.replace(/^[\s*]+/, ''));
  for (const line of printed)
    await err.write(`${palette.waiting('warning:')} ${sanitizeForTerminal(line)}\n`);
}
