import type { Logger } from 'pino';
import type { ProgressListener } from './count-items.js';

/** Interval between log lines, in ms. Shorter work is not logged. */
const pause = 5_000;

export interface ProgressLogOptions {
  /** Returns a time in ms. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info'>;
  /** Name of the counted items, such as `lines`. */
  readonly items: string;
  /** Logged during the work, and after the last item. */
  readonly messages: { readonly step: string; readonly end: string };
  /** Returns details to log with the count. */
  readonly details?: () => object;
}

/** Logs the progress of long work. */
export function createProgressLog({
  now,
  log,
  items,
  messages,
  details = () => ({}),
}: ProgressLogOptions): ProgressListener {
  let start = 0;
  let last = 0;
  return {
    begin() {
      start = last = now();
    },
    step(count) {
      const time = now();
      if (time - last < pause) return;
      last = time;
      log.info({ [items]: count, ...details() }, messages.step);
    },
    end(count) {
      if (last !== start) log.info({ [items]: count }, messages.end);
    },
  };
}

/** Logs the progress of an import. @param done the share of the file that was read, null if unknown. */
export function createImportLog(
  file: string,
  { now, log, done }: Pick<ProgressLogOptions, 'now' | 'log'> & { readonly done: () => number | null },
): ProgressListener {
  const details = (): object => ({ file, percent: Math.floor((done() ?? 0) * 100) });
  const messages = { step: 'importing', end: 'importing: all lines are read and are being stored' };
  return createProgressLog({ now, log, items: 'lines', messages, details });
}
