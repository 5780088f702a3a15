import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { hasJob, startChild, type StartedChild } from './child-job.js';
import { prefixRange, scanRows } from 'tamis/table';
import type { Tables } from './tables.js';
import { requireJob } from './lookups.js';
import type { Transaction } from './transaction.js';

/** The part between the ID of a periodic job and the seconds since 1970 in the IDs of its children. */
const launchInfix = '/periodic-';

/**
 * Launches a periodic job at its time. Null when there is nothing to launch: the job is gone, stopped or changed, the
 * launch has been made already, or the one before still runs and must not overlap.
 *
 * @param due when it is due, and until when names of launches are taken by a clock that was ahead: those were others.
 * Milliseconds since 1970.
 */
export function launchPeriodic(
  transaction: Transaction,
  name: Pick<Job, 'Namespace' | 'ID'>,
  { at, aheadUntil }: { readonly at: number; readonly aheadUntil: number },
): StartedChild | null {
  const job = transaction.get('jobs', jobKey(name));
  if (job === null || !isLaunched(job)) return null;
  const seconds = Math.floor(at / 1000);
  const isAhead = at <= aheadUntil;
  const ID = isAhead ? freeName(transaction, job, seconds) : nameOf(job, seconds);
  if (!isAhead && hasJob(transaction, job.Namespace, ID)) return null;
  if (job.Periodic?.ProhibitOverlap === true && hasRunningChild(transaction.tables, job)) return null;
  return startChild(transaction, job, { ID, Periodic: null }, 'periodic-job');
}

/** Whether a job is launched by its timetable. */
export function isLaunched(job: Job): boolean {
  const awaitsDispatch = job.ParameterizedJob !== null && !job.Dispatched;
  return job.Periodic?.Enabled === true && !job.Stop && !awaitsDispatch;
}

/**
 * Launches a periodic job now, whatever its timetable says.
 *
 * @throws SchedulerError `not-found` or `not-periodic`.
 */
export function forcePeriodic(transaction: Transaction, name: Pick<Job, 'Namespace' | 'ID'>): StartedChild {
  const job = requireJob(transaction.tables, name);
  if (job.Periodic === null) {
    throw new SchedulerError('not-periodic', "can't force launch non-periodic job");
  }
  const ID = freeName(transaction, job, Number(transaction.stamp() / 1_000_000_000n));
  return startChild(transaction, job, { ID, Periodic: null }, 'periodic-job');
}

function nameOf({ ID }: Pick<Job, 'ID'>, seconds: number): string {
  return `${ID}${launchInfix}${seconds}`;
}

/** The name of the launch of a second, or of the next one that has none. */
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

/** When a periodic job was last launched, in milliseconds since 1970; 0 for never. */
export function lastLaunch(tables: Tables, job: Pick<Job, 'Namespace' | 'ID'>): number {
  let last = 0;
  for (const { ID } of childrenOf(tables, job)) {
    const seconds = Number(ID.slice(ID.lastIndexOf('-') + 1));
    if (seconds * 1000 > last) last = seconds * 1000;
  }
  return last;
}
