import type { Readable } from 'node:stream';
import type { LogParams } from '@tamis/scheduler-node/file-params.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { openLogFollower } from './log-follower.js';
import type { LogSource, Refusal } from './log-source.js';
import { SharedLog } from './shared-log.js';

/** The logs followed through this server. */
export interface FollowedLogs {
  /** Follows a log from a position. Returns the node's error response if the log is missing. @throws SchedulerError */
  follow(source: LogSource, params: Pick<LogParams, 'start' | 'plain'>): Promise<FollowedLog | Refusal>;
  /** Number of followed logs. */
  readonly count: number;
}

/** A stream of a log, which continues until it is destroyed or ended. */
export interface FollowedLog {
  readonly kind: 'stream';
  readonly stream: Readable;
  readonly end: () => void;
}

export function createFollowedLogs(clock: Pick<Clock, 'after'>): FollowedLogs {
  const logs = new Map<string, SharedLog>();

  function logOf(key: string): SharedLog {
    const known = logs.get(key);
    if (known !== undefined) return known;
    const log = new SharedLog(clock, () => {
      if (logs.get(key) === log) logs.delete(key);
    });
    logs.set(key, log);
    return log;
  }

  return {
    async follow(source, { plain, start }) {
      const log = logOf(source.key);
      return log.stayFor(async () => {
        const first = await log.piece(source, start);
        if (first.kind === 'refused') return first;
        // If it has ended meanwhile, another log may have replaced it.
        return { kind: 'stream', ...openLogFollower(logOf(source.key), source, first, { clock, plain }) };
      });
    },
    get count() {
      return logs.size;
    },
  };
}
