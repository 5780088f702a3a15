import type { Clock } from '../base/clock.js';

/** A quota of what anonymous callers make the server write: so many bytes, then nothing more for a while. */
export interface LogQuota {
  /** False when it would be too much: then nothing is left until the next period. */
  take(bytes: number): boolean;
  /** Whether anything is left: what would not be written need not be made. */
  isSpent(): boolean;
  /** Counts what was not written because it would have been too much. */
  leaveOut(): void;
  /** Returns quota taken for a client that turned out to be authenticated. */
  giveBack(bytes: number): void;
  /** Reports the counts so far. */
  close(): void;
}

export interface LogQuotaOptions {
  readonly clock: Clock;
  /** Called once, at the end of a period, with the number of omitted lines and the start of the period. */
  readonly report: (count: number, since: number) => void;
}

/** Milliseconds of a period. */
const period = 60_000;
/** Bytes of a period. Any minute touches two periods at most, so that no minute has more than a megabyte. */
const bytesOfPeriod = 500_000;

export function createLogQuota({ clock, report }: LogQuotaOptions): LogQuota {
  let since = -Infinity;
  let left = 0;
  let leftOut = 0;
  let cancel = (): void => undefined;

  function settle(): void {
    cancel();
    if (leftOut > 0) report(leftOut, since);
    leftOut = 0;
  }

  function beginPeriod(): void {
    const now = clock.now();
    if (Math.abs(now - since) < period) return;
    settle();
    since = now;
    left = bytesOfPeriod;
  }

  return {
    take(bytes) {
      beginPeriod();
      const isEnough = bytes <= left;
      left = isEnough ? left - bytes : 0;
      return isEnough;
    },
    isSpent() {
      beginPeriod();
      return left === 0;
    },
    leaveOut() {
      if (leftOut === 0) cancel = clock.after(Math.max(0, since + period - clock.now()), settle);
      leftOut += 1;
    },
    giveBack(bytes) {
      left += bytes;
    },
    close: settle,
  };
}
