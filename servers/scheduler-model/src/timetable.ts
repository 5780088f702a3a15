import { parseCron, type Timetable } from './cron.js';
import type { Job } from './job.js';

/** The times at which a periodic job is launched: those of all its expressions. @throws CronError */
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
