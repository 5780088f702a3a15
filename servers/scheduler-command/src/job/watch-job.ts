import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../api/api-error.js';
import { readJsonStream } from '../api/json-stream.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import { formatSpan } from '../terminal/ages.js';
import { CommandError } from '../command-error.js';
import type { EvaluationView } from '../views/shown-evaluation.js';
import { jobPath, readJob } from '../find-job.js';
import { exitCodes } from '../exit-codes.js';
import { namespaceFlag, shortId, type Session } from '../session.js';
import {
  createRollout,
  type EventPayload,
  type FailedAllocation,
  type Note,
  type Outcome,
  type Rollout,
} from './rollout.js';
import type { Work, WorkRow } from './work-outcome.js';

/** A job to watch. */
export interface WatchedJob {
  readonly id: string;
  readonly namespace: string;
  /** Index of the write whose effects are shown. */
  readonly index: number | bigint;
  /** Empty without an evaluation. */
  readonly evalId: string;
  readonly deployment?: Deployment;
}

/** The result for programs. */
export interface Watched {
  readonly outcome: Outcome;
  readonly deployment: Deployment | null;
  /** A failed allocation; null if none exists. */
  readonly failed: FailedAllocation | null;
}

/** A frame of the event stream. */
interface EventFrame {
  readonly Index?: number;
  readonly Events?: readonly { readonly Payload: EventPayload }[];
  readonly Gap?: { readonly Message: string };
  readonly End?: { readonly Message: string };
}

/** Watches and prints the effects of a write to a job. @throws ApiError */
export async function watchJob(session: Session, job: WatchedJob): Promise<Watched> {
  const short = (id: string): string => shortId(id, session);
  const rollout = createRollout({ evalId: job.evalId, index: job.index, short });
  const began = session.now();
  const report = (notes: readonly Note[]): Promise<void> => writeNotes(session, notes, began);
  if (job.deployment !== undefined) await report(rollout.follow(job.deployment));
  for await (const { Events = [], Gap } of framesOf(session, job)) {
    for (const { Payload } of Events) await report(rollout.apply(Payload));
    if (Gap !== undefined) await session.err.write('Some of what happened was missed.\n');
    const { outcome } = await decide(session, job, rollout, report, Gap !== undefined);
    if (outcome !== null) return { outcome, deployment: rollout.deployment, failed: rollout.failed };
  }
  throw new CommandError(
    `The agent has ended the stream of events. The job goes on: ${statusCommand(job)} shows it`,
  );
}

async function decide(
  session: Session,
  job: WatchedJob,
  rollout: Rollout,
  report: (notes: readonly Note[]) => Promise<void>,
  hasMissed: boolean,
): Promise<Rollout> {
  if (rollout.outcome !== null || !(rollout.isUnsettled || hasMissed)) return rollout;
  const { evalId, id, index, namespace } = job;
  if (hasMissed && !rollout.isEvaluated) {
    const { body: Evaluation } = await session.api.get<EvaluationView>(`/v1/evaluation/${evalId}`);
    await report(rollout.apply({ Evaluation }));
  }
  const { body } = await session.api.get<Deployment | null>(jobPath(id, 'deployment'), { namespace });
  const isOurs = body !== null && (body.CreateIndex >= index || body.ID === rollout.deployment?.ID);
  const isToFollow = body !== null && ((hasMissed && isOurs) || isActiveDeployment(body));
  if (isToFollow) await report(rollout.follow(body));
  else if (rollout.isEvaluated && rollout.deployment === null && rollout.outcome === null)
    await report(rollout.settle(await readWork(session, job, body)));
  return rollout;
}

async function readWork(
  session: Session,
  { id, namespace }: WatchedJob,
  deployment: Deployment | null,
): Promise<Work> {
  const job = await readJob(session, id, namespace);
  if (job === null || job.Stop) return { job, deployment, allocations: [] };
  const path = jobPath(id, 'allocations');
  const { body: allocations } = await session.api.get<readonly WorkRow[]>(path, { namespace });
  return { job, deployment, allocations };
}

/** Maximum consecutive reconnects of a lost stream, and the delay between them in ms. */
const maxTries = 10;
const retryPause = 1_000;

/** Yields the events of a job from an index on. A stream that ends early is resumed at its last position. */
async function* framesOf(
  { api, signal }: Session,
  { id, namespace, index }: WatchedJob,
): AsyncGenerator<EventFrame> {
  const topic = ['Evaluation', 'Deployment', 'Allocation'].map((name) => `${name}:${id}`);
  let next = BigInt(index);
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      const pieces = await api.stream('/v1/event/stream', { topic, namespace, index: String(next) });
      for await (const value of readJsonStream(pieces)) {
        const frame = value as EventFrame;
        tries = 0;
        if (frame.Index !== undefined) next = BigInt(frame.Index) + 1n;
        yield frame;
      }
    } catch (error) {
      // A denied or invalid request would fail again.
      if (signal.aborted || (error instanceof ApiError && error.status >= 400 && error.status < 500))
        throw error;
      if (tries + 1 === maxTries) throw error;
    }
    await pause(retryPause, undefined, { signal });
  }
}

async function writeNotes(session: Session, notes: readonly Note[], began: number): Promise<void> {
  const { err, isJson, now, out, palette } = session;
  for (const { text, mood } of notes) {
    const time = formatSpan(Math.floor((now() - began) / 1_000) * 1_000).replace('0ms', '0s');
    const [first = '', ...more] = text.split('\n');
    const painted = mood === 'plain' ? first : palette[mood](first);
    const lines = [
      `${palette.faint(time.padStart(6))}  ${painted}`,
      ...more.map((line) => `        ${line}`),
    ];
    await (isJson ? err : out).write(`${lines.join('\n')}\n`);
  }
}

/** Watches a job, prints the outcome, and returns the exit code. */
export async function watchToEnd(session: Session, job: WatchedJob): Promise<number> {
  const { err, signal } = session;
  try {
    return await reportOutcome(session, job, await watchJob(session, job));
  } catch (error) {
    if (!signal.aborted) throw error;
    await err.write(`\nStopped watching; the job goes on: ${statusCommand(job)}\n`);
    return exitCodes.interrupted;
  }
}

async function reportOutcome(
  session: Session,
  job: WatchedJob,
  { outcome, deployment, failed }: Watched,
): Promise<number> {
  const { err, isJson, out, palette } = session;
  const reported = isJson ? err : out;
  const rollout = deployment === null ? '' : shortId(deployment.ID, session);
  const flag = namespaceFlag(job.namespace);
  switch (outcome) {
    case 'done':
      await reported.write(`${palette.good('done')}\n`);
      return 0;
    case 'waits-for-promotion':
      await reported.write(
        `scheduler deployment promote${flag} ${rollout} replaces the other allocations, scheduler deployment fail${flag} ${rollout} ends it.\n`,
      );
      return 0;
    case 'deployment-failed':
    case 'work-failed':
      await reported.write(`${palette.bad('failed')}: ${whyFailed(session, job, failed)}\n`);
      return exitCodes.outcomeFailed;
    case 'not-placed':
      await reported.write(
        `The rest waits for room, and is placed when there is some: ${statusCommand(job)}\n`,
      );
      return exitCodes.outcomeFailed;
    case 'evaluation-failed':
      return exitCodes.failed;
  }
}

/** Returns the command that shows a job. */
function statusCommand({ id, namespace }: Pick<WatchedJob, 'id' | 'namespace'>): string {
  return `scheduler job status${namespaceFlag(namespace)} ${sanitizeForTerminal(id)}`;
}

/** Returns the commands that show why it failed. */
function whyFailed(session: Session, job: WatchedJob, failed: FailedAllocation | null): string {
  if (failed === null) return `${statusCommand(job)} shows what runs.`;
  const [flag, id] = [namespaceFlag(job.namespace), shortId(failed.id, session)];
  const why = failed.hasStarted
    ? `scheduler alloc logs${flag} --stderr ${id} shows its standard error`
    : `scheduler alloc status${flag} ${id} shows why nothing of it started`;
  return `${why}, ${statusCommand(job)} what runs.`;
}

/** `deployment status --watch`, also used after a promotion. */
export async function watchDeployment(session: Session, id: string): Promise<number> {
  const { body: deployment, index } = await session.api.get<Deployment>(`/v1/deployment/${id}`);
  const { JobID, Namespace: namespace } = deployment;
  if (!isActiveDeployment(deployment)) {
    await session.out.write(
      `${sanitizeForTerminal(`${deployment.Status}: ${deployment.StatusDescription}`)}\n`,
    );
    return deployment.Status === 'successful' ? 0 : exitCodes.outcomeFailed;
  }
  return watchToEnd(session, { id: JobID, namespace, index: BigInt(index) + 1n, evalId: '', deployment });
}
