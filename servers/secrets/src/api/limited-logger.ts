import type { Logger } from '../base/logger.js';
import type { LogQuota } from './log-quota.js';

/** Bytes of a line in addition to its fields and words: level, time and brackets. */
const frame = 120;

/** A log for what anonymous callers cause: it writes as much as the budget has, and leaves the rest to be counted. */
export function limitLogger(logger: Logger, budget: LogQuota): Logger {
  const limited =
    (level: keyof Logger): Logger['info'] =>
    (fields, message) => {
      if (!budget.isSpent() && budget.take(lengthOf(fields) + message.length + frame))
        logger[level](fields, message);
      else budget.leaveOut();
    };
  return { debug: limited('debug'), info: limited('info'), warn: limited('warn'), error: limited('error') };
}

function lengthOf({ err, ...fields }: Readonly<Record<string, unknown>>): number {
  // The logger writes the words of an error and where it comes from.
  const error = err instanceof Error ? (err.stack ?? err.message).length * 2 + err.message.length : 0;
  return Buffer.byteLength(JSON.stringify(fields)) + error;
}
