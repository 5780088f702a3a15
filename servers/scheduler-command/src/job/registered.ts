import { writeJson } from '@tamis/http';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import { shortId, type Session } from '../session.js';
import { writeWarnings, type JobFile } from './read-job.js';
import { watchJob, watchToEnd } from './watch-job.js';
import type { Given } from '../given.js';
import { exitCodes } from '../exit-codes.js';

/** Response to a write that changes the allocations of a job. */
export interface RegistrationResponse {
  readonly EvalID: string;
  readonly JobModifyIndex: number | bigint;
  readonly Index: number | bigint;
  readonly Warnings?: string;
}

/** A written job, with the name of the operation for messages. */
export interface WrittenJob {
  readonly id: string;
  readonly namespace: string;
  /** Operation, such as `registered`. */
  readonly done: string;
  /** The file with the lines that warnings refer to. */
  readonly file?: JobFile;
}

/** Prints the result of a write, and watches its progress unless disabled. @returns the exit code */
export async function followJob(
  session: Session,
  given: Given,
  { id, namespace, done, file }: WrittenJob,
  registered: RegistrationResponse,
): Promise<number> {
  const { isJson, out, palette } = session;
  const { EvalID: evalId, Index: index, Warnings = '' } = registered;
  if (!isJson) await writeWarnings(session, Warnings, file);
  const isWatched = !given.has('detach') && evalId !== '';
  if (!isJson) {
    const evaluation = evalId === '' ? 'nothing has to run now' : `evaluation ${shortId(evalId, session)}`;
    const isUnchanged = done === 'registered' && BigInt(registered.JobModifyIndex) < BigInt(index);
    await out.write(
      `${palette.strong(sanitizeForTerminal(id))} ${isUnchanged ? 'unchanged' : done}, ${evaluation}\n`,
    );
    if (!isWatched) return 0;
    return watchToEnd(session, { id, namespace, index, evalId });
  }
  const watched = isWatched ? await watchJob(session, { id, namespace, index, evalId }) : null;
  await out.write(
    `${writeJson({ ...registered, Outcome: watched?.outcome ?? null, Deployment: watched?.deployment ?? null }, 2)}\n`,
  );
  if (watched === null || watched.outcome === 'done' || watched.outcome === 'waits-for-promotion') return 0;
  return watched.outcome === 'evaluation-failed' ? exitCodes.failed : exitCodes.outcomeFailed;
}
