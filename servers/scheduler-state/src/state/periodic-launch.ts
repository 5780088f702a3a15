import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { hasJob, startChild, type StartedChild } from './child-job.js';
import { getRow, prefixRange, scanRows } from 'tamis/table';
import type { Tables } from './tables.js';
import { requireJob } from './lookups.js';
import type { Transaction } from './transaction.js';

/** Separator between the ID of a periodic job and the launch time, in seconds since 1970, in the IDs of its children. */
const launchInfix = '/periodic-';

/** Maximum time by which the last launch may be ahead of the clock, in ms. A launch further ahead is ignored. */
const maxAheadMs = 60_000;

/**
 * Launches a periodic job once for the due time `at`. Returns null if there is nothing to launch. That is the case if the job is
 * gone, stopped or changed, or this or a later due time was handled. It is also the case if the previous launch still runs and
 * must not overlap.
 *
 * @param now ms since 1970, like `at`.
 */
export function launchPeriodic(
  transaction: Transaction,
  planned: Pick<Job, 'Namespace' | 'ID' | 'JobModifyIndex'>,
  { at, now }: { readonly at: number; readonly now: number },
): StartedChild | null {
  const { tables, index } = transaction;
  const job = transaction.get('jobs', jobKey(planned));
  if (job === null || job.JobModifyIndex !== planned.JobModifyIndex || !isLaunched(job)) return null;
  const stored = transaction.get('periodic_launches', jobKey(job));
  const last = latest(dealtTimes(tables, job, now), now);
  if (last !== null && last >= at) return null;
  const row = {
    Namespace: job.Namespace,
    JobID: job.ID,
    Due: at,
    Previous: lastLaunch(tables, job, now) ?? submitTime(job),
  };
  transaction.put('periodic_launches', {
    ...row,
    CreateIndex: stored?.CreateIndex ?? index,
    ModifyIndex: index,
  });
  if (job.Periodic?.ProhibitOverlap === true && hasRunningChild(tables, job)) return null;
  const ID = freeName(transaction, job, Math.floor(at / 1_000));
  return startChild(transaction, job, { ID, Periodic: null }, 'periodic-job');
}

/** Whether a job is launched by its timetable. */
export function isLaunched(job: Job): boolean {
  const awaitsDispatch = job.ParameterizedJob !== null && !job.Dispatched;
  return job.Periodic?.Enabled === true && !job.Stop && !awaitsDispatch;
}

/**
 * Launches a periodic job now, regardless of its timetable.
 *
 * @throws SchedulerError `not-found` or `bad-request`.
 */
export function forcePeriodic(transaction: Transaction, name: Pick<Job, 'Namespace' | 'ID'>): StartedChild {
  const job = requireJob(transaction.tables, name);
  if (job.Periodic === null) throw badRequest("can't force launch non-periodic job");
  const ID = freeName(transaction, job, Number(transaction.stamp() / 1_000_000_000n));
  return startChild(transaction, job, { ID, Periodic: null }, 'periodic-job');
}

function nameOf({ ID }: Pick<Job, 'ID'>, seconds: number): string {
  return `${ID}${launchInfix}${seconds}`;
}

/** Returns the name of the launch at a second, or at the next second without a launch. */
function freeName(transaction: Transaction, job: Job, from: number): string {
  let seconds = from;
  while (hasJob(transaction, job.Namespace, nameOf(job, seconds))) seconds += 1;
  return nameOf(job, seconds);
}

function* childrenOf({ jobs }: Tables, job: Pick<Job, 'Namespace' | 'ID'>): Generator<Job> {
  for (const child of scanRows(jobs.primary, prefixRange(`${jobKey(job)}${launchInfix}`), false)) {
    if (child.ParentID === job.ID) yield child;
  }
}

function hasRunningChild(tables: Tables, job: Job): boolean {
  for (const { Status } of childrenOf(tables, job)) if (Status !== 'dead') return true;
  return false;
}

/**
 * Returns the time up to which a periodic job needs no launch, in ms since 1970: its last handled due time, or its registration.
 * Null if unknown, because a clock far ahead of `now` wrote it.
 */
export function lastLaunch(tables: Tables, job: Job, now: number): number | null {
  const stored = getRow(tables.periodic_launches, jobKey(job));
  const isOlder = stored !== null && stored.ModifyIndex < job.JobModifyIndex;
  const dealt = isOlder ? [] : dealtTimes(tables, job, now);
  return latest(stored === null || isOlder ? [...dealt, submitTime(job)] : dealt, now);
}

/** Returns the handled due times: the last one. If a clock far ahead of `now` wrote that, returns all known ones. */
function dealtTimes(tables: Tables, job: Job, now: number): number[] {
  const stored = getRow(tables.periodic_launches, jobKey(job));
  if (stored !== null && Number(stored.Due) <= now + maxAheadMs) return [Number(stored.Due)];
  const children = [...childrenOf(tables, job)].map(
    ({ ID }) => Number(ID.slice(ID.lastIndexOf('-') + 1)) * 1_000,
  );
  return stored === null ? children : [...children, Number(stored.Previous)];
}

function submitTime({ SubmitTime }: Job): number {
  return Number(BigInt(SubmitTime) / 1_000_000n);
}

/** Returns the latest time that is not far ahead of `now`; null if none exists. */
function latest(times: readonly number[], now: number): number | null {
  const credible = times.filter((time) => time <= now + maxAheadMs);
  return credible.length === 0 ? null : credible.reduce((a, b) => Math.max(a, b));
}
