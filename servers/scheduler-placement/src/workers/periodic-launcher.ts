import { CronError, type Timetable } from '@tamis/scheduler-model/cron.js';
import { lastTime, timetableOf } from '@tamis/scheduler-model/timetable.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { fullRange, getRow, scanRows } from 'tamis/table';
import { isLaunched, lastLaunch, launchPeriodic } from '@tamis/scheduler-state/state/periodic-launch.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { createDeadlineTimer } from './deadline-timer.js';
import { importedIndex } from './evaluation-feed.js';
import { createPriorityQueue } from './priority-queue.js';
import { createRepeatedWrites, watchTables, type WatcherOptions } from './watcher.js';

/** A periodic job with its next launch time. */
interface Planned {
  readonly job: Job;
  readonly timetable: Timetable;
  readonly at: number;
}

/** Time for which changes of jobs are collected before all jobs are checked, in ms. */
const gathering = 1_000;

/**
 * Launches periodic jobs at their due times, by this server's wall clock. If several due times of a job pass at once, or launches
 * could not be written, only the last one is made up for. Returns a function that stops it.
 */
export function startPeriodicLauncher(options: WatcherOptions): () => void {
  const { state, clock, warn } = options;
  const planned = new Map<string, Planned>();
  const refused = new Map<string, Job>();
  const imported = importedIndex(state.snapshot().tables);
  const timer = createDeadlineTimer(clock, launchDue);
  const writes = createRepeatedWrites(options, planAgain);
  let isGathering = false;
  let cancelGathering = (): void => undefined;
  let due = createPriorityQueue<Planned>(isEarlier);

  /** Plans new and changed jobs, and removes deleted ones. */
  function look(): void {
    const { tables } = state.snapshot();
    const removed = new Set(planned.keys());
    for (const job of scanRows(tables.jobs.primary, fullRange, false)) {
      // Imported jobs wait until they are registered again.
      if (!isLaunched(job) || job.JobModifyIndex <= imported) continue;
      const key = jobKey(job);
      removed.delete(key);
      if (planned.get(key)?.job.JobModifyIndex !== job.JobModifyIndex) plan(tables, key, job);
    }
    for (const key of removed) planned.delete(key);
    arm();
  }

  /** @param from start of the search if the last launch is unknown. */
  function plan(tables: Tables, key: string, job: Job, from = clock.now()): void {
    planned.delete(key);
    if (refused.get(key)?.JobModifyIndex === job.JobModifyIndex) return;
    try {
      const timetable = timetableOf(job);
      const at = timetable.next(lastLaunch(tables, job, clock.now()) ?? from);
      if (at === null) return;
      const entry = { job, timetable, at };
      planned.set(key, entry);
      due.push(entry);
    } catch (error) {
      if (!(error instanceof CronError)) throw error;
      refused.set(key, job);
      warn('periodic job is never launched', { job: job.ID, reason: error.message });
    }
  }

  /** Plans the next launch after a successful or failed write. */
  function planAgain(key: string): void {
    const { tables } = state.snapshot();
    const job = getRow(tables.jobs, key);
    const before = planned.get(key);
    if (job === null || before === undefined || !isLaunched(job)) return;
    plan(tables, key, job, before.at - 1);
    arm();
  }

  function arm(): void {
    // A replaced entry stays in the queue until it is due, unless there are too many.
    if (due.size > 2 * planned.size + 16) {
      due = createPriorityQueue<Planned>(isEarlier);
      for (const entry of planned.values()) due.push(entry);
    }
    timer.set(due.peek()?.at ?? null);
  }

  function launchDue(isSetBack: boolean): void {
    if (isSetBack) {
      // All due times are computed again.
      planned.clear();
      look();
    }
    const now = clock.now();
    for (let next = due.peek(); next !== undefined && next.at <= now; next = due.peek()) {
      due.pop();
      const key = jobKey(next.job);
      if (planned.get(key) === next && !writes.isBusy(key)) launch(key, next, now);
    }
    arm();
  }

  function launch(key: string, { job, timetable, at: first }: Planned, now: number): void {
    const at = lastTime(timetable, first, now) ?? first;
    writes.start(
      key,
      (transaction) => launchPeriodic(transaction, job, { at, now: clock.now() }),
      'periodic job was not launched',
    );
  }

  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    cancelGathering = clock.after(gathering, () => {
      isGathering = false;
      look();
    });
  }

  look();
  const end = watchTables(state, ['jobs'], gather);
  return () => {
    end();
    cancelGathering();
    timer.cancel();
    writes.cancel();
  };
}

function isEarlier(a: Planned, b: Planned): boolean {
  return a.at < b.at;
}
