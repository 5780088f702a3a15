import { CronError, type Timetable } from '@tamis/scheduler-model/cron.js';
import { timetableOf } from '@tamis/scheduler-model/timetable.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { scanRows, fullRange } from 'tamis/table';
import { isLaunched, lastLaunch, launchPeriodic } from '@tamis/scheduler-state/state/periodic-launch.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { createDeadlineTimer } from './deadline-timer.js';
import { importedIndex } from './evaluation-feed.js';
import { watchTables } from './watch-tables.js';
import { createPriorityQueue } from './priority-queue.js';
import type { WatcherOptions } from './watcher.js';

/** A periodic job and when it is launched next. */
interface Planned {
  readonly job: Job;
  readonly timetable: Timetable;
  readonly at: number;
  /** The launches that a clock has made which was ahead of the one of this server: up to then their names are taken. */
  readonly aheadUntil: number;
}

/** Milliseconds for which changes of jobs are gathered before all jobs are looked through. */
const gathering = 1_000;
/**
 * Milliseconds by which a launch may be ahead of this clock and still be the one that is due: the leader before may have
 * made it with a clock a little faster.
 */
const sameLaunch = 60_000;

/** Launches periodic jobs at their times. The function returned ends it. */
export function startPeriodicLauncher({ state, clock, warn }: WatcherOptions): () => void {
  const planned = new Map<string, Planned>();
  const refused = new Map<string, Job>();
  const imported = importedIndex(state.snapshot().tables);
  const timer = createDeadlineTimer(clock, launchDue);
  let isGathering = false;
  let cancelGathering = (): void => undefined;
  let due = createPriorityQueue<Planned>(isEarlier);

  /** Plans what is new or has changed, and forgets what is gone. */
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

  function plan(tables: Tables, key: string, job: Job): void {
    planned.delete(key);
    if (refused.get(key)?.JobModifyIndex === job.JobModifyIndex) return;
    try {
      const timetable = timetableOf(job);
      const now = clock.now();
      const launched = lastLaunch(tables, job);
      const submitted = Number(BigInt(job.SubmitTime) / 1_000_000n);
      const aheadUntil = launched > now + sameLaunch ? launched : 0;
      // What was due while no server was there is made up for, once. A time that has not come is of a clock that was wrong.
      const at = timetable.next(aheadUntil > 0 || submitted > now ? now : Math.max(launched, submitted));
      if (at !== null) add(key, { job, timetable, at, aheadUntil });
    } catch (error) {
      if (!(error instanceof CronError)) throw error;
      refused.set(key, job);
      warn('periodic job is never launched', { job: job.ID, reason: error.message });
    }
  }

  function add(key: string, entry: Planned): void {
    planned.set(key, entry);
    due.push(entry);
  }

  function arm(): void {
    // Entries that have been replaced stay in the queue until their time comes; many of them are swept out.
    if (due.size > 2 * planned.size + 16) {
      due = createPriorityQueue<Planned>(isEarlier);
      for (const entry of planned.values()) due.push(entry);
    }
    timer.set(due.peek()?.at ?? null);
  }

  function launchDue(): void {
    const now = clock.now();
    for (let next = due.peek(); next !== undefined && next.at <= now; next = due.peek()) {
      due.pop();
      const key = jobKey(next.job);
      if (planned.get(key) !== next) continue;
      launch(next);
      const at = next.timetable.next(now);
      if (at === null) planned.delete(key);
      else add(key, { ...next, at });
    }
    arm();
  }

  function launch({ job, at, aheadUntil }: Planned): void {
    state
      .write((transaction) => launchPeriodic(transaction, job, { at, aheadUntil }))
      .catch((error: unknown) => warn('periodic job was not launched', { err: error, job: job.ID }));
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
  };
}

function isEarlier(a: Planned, b: Planned): boolean {
  return a.at < b.at;
}
