import type { Logger } from '../base/logger.js';
import type { LogQuota } from './log-quota.js';

/** Size of a log line without its fields and message, in bytes: level, time and brackets. */
const frame = 120;

/** Returns a logger for events caused by unauthenticated callers. It writes within the quota and counts the omitted lines. */
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
  // The logger writes both the message and the stack of an error.
  const error = err instanceof Error ? (err.stack ?? err.message).length * 2 + err.message.length : 0;
  return Buffer.byteLength(JSON.stringify(fields)) + error;
}
