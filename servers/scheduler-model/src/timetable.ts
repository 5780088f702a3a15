import { parseCron, type Timetable } from './cron.js';
import type { Job } from './job.js';

/** Returns the last time of a timetable after `after` and up to `until`, in ms since 1970; null if none exists. */
export function lastTime(timetable: Timetable, after: number, until: number): number | null {
  const first = timetable.next(after);
  if (first === null || first > until) return null;
  let found = first;
  for (let end = until; end - found >= 1_000;) {
    const middle = Math.floor((found + end) / 2);
    const time = timetable.next(middle);
    if (time !== null && time <= until) found = time;
    else end = middle;
  }
  return found;
}

/** Returns the launch times of a periodic job, from all its expressions. @throws CronError */
export function timetableOf({ Periodic }: Job): Timetable {
  const specs = [Periodic?.Spec ?? '', ...(Periodic?.Specs ?? [])].filter((spec) => spec !== '');
  const timetables = specs.map((spec) => parseCron(spec, Periodic?.TimeZone ?? ''));
  return {
    next(after) {
      const times = timetables.map((one) => one.next(after)).filter((time) => time !== null);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}
