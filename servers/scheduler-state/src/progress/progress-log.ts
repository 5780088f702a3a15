import type { Logger } from 'pino';
import type { ProgressListener } from './count-items.js';

/** Milliseconds between two lines of the log. Nothing is told of work that is done before. */
const pause = 5_000;

export interface ProgressLogOptions {
  /** Milliseconds, as a clock counts them. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info'>;
  /** What is counted, such as `lines`. */
  readonly items: string;
  /** Said of the items so far, and when there are no more of them. */
  readonly messages: { readonly step: string; readonly end: string };
  /** Said beside the count. */
  readonly details?: () => object;
}

/** Tells the log how far long work has come. */
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

/** Tells the log how far an import has come. @param done the part of the file that was read, null for unknown. */
export function createImportLog(
  file: string,
  { now, log, done }: Pick<ProgressLogOptions, 'now' | 'log'> & { readonly done: () => number | null },
): ProgressListener {
  const details = (): object => ({ file, percent: Math.floor((done() ?? 0) * 100) });
  const messages = { step: 'importing', end: 'importing: all lines are read and are being stored' };
  return createProgressLog({ now, log, items: 'lines', messages, details });
}
