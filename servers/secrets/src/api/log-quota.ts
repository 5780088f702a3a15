import type { Clock } from '../base/clock.js';

/** Limits the log output caused by unauthenticated callers, in bytes per period. */
export type LogQuota = ReturnType<typeof createLogQuota>;

export interface LogQuotaOptions {
  readonly clock: Clock;
  /** Called once, at the end of a period, with the number of omitted lines and the start of the period. */
  readonly report: (count: number, since: number) => void;
}

/** Length of a period, in ms. */
const period = 60_000;
/** Quota of a period, in bytes. Any minute overlaps with at most two periods, so that no minute exceeds one megabyte. */
const bytesOfPeriod = 500_000;

export function createLogQuota({ clock, report }: LogQuotaOptions) {
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
    /** Takes bytes from the quota. Returns false if they exceed it; then nothing more is available until the next period. */
    take(bytes: number): boolean {
      beginPeriod();
      const isEnough = bytes <= left;
      left = isEnough ? left - bytes : 0;
      return isEnough;
    },
    /** Whether the quota is used up. Avoids creating lines that would not be written. */
    isSpent(): boolean {
      beginPeriod();
      return left === 0;
    },
    /** Counts a line that was omitted because of the quota. */
    leaveOut(): void {
      if (leftOut === 0) cancel = clock.after(Math.max(0, since + period - clock.now()), settle);
      leftOut += 1;
    },
    /** Returns bytes to the quota, taken for a client that turned out to be authenticated. */
    giveBack(bytes: number): void {
      left += bytes;
    },
    /** Reports the number of omitted lines so far. */
    close: settle,
  };
}
