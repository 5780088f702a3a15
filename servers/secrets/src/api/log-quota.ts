import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.js';

/** Limits log output, in bytes per period. */
export interface LogQuota {
  /** Whether it is used up. Avoids creating lines that would not be written. */
  readonly isSpent: () => boolean;
  /** Takes bytes. Returns false if they exceed the quota; then nothing more is available until the next period. */
  readonly take: (bytes: number) => boolean;
  /** Returns bytes that were taken for a client that turned out to be authenticated. */
  readonly giveBack: (bytes: number) => void;
  /** Counts a line that was omitted because of the quota. */
  readonly leaveOut: () => void;
}

export interface LogQuotaOptions {
  readonly clock: Clock;
  /** Called once, at the end of a period, with the number of omitted lines and the start of the period. */
  readonly report: (count: number, since: number) => void;
}

/** Length of a period, in ms. */
const period = 60_000;
/**
 * Maximum bytes per period of all unauthenticated clients, and of one address. Any minute overlaps with at most two periods, so
 * that no minute exceeds one megabyte.
 */
const maxBytes = 500_000;
/** Maximum bytes for one token per period. Enough for about 60 refusals. */
const maxOfToken = 100_000;
/** Maximum number of tokens and addresses that are counted separately. All others share one count. */
const maxCounts = 20_000;

/** Keys that the same output counts for, each with its maximum in bytes per period. */
type Limits = readonly (readonly [key: string, maximum: number])[];

/** Counts the bytes of a period by key. A period begins with the first output after the previous one. */
function createCounts({ clock, report }: LogQuotaOptions) {
  const used = new Map<string, number>();
  let leftOut = 0;
  let since = 0;
  let cancel: (() => void) | null = null;

  function beginPeriod(): void {
    if (cancel !== null) return;
    since = clock.now();
    cancel = clock.after(period, settle);
  }

  function settle(): void {
    cancel?.();
    cancel = null;
    used.clear();
    if (leftOut > 0) report(leftOut, since);
    leftOut = 0;
  }

  /** Returns the quota of output that counts for each of these keys. */
  function quota(limits: Limits): LogQuota {
    const counts = (): Limits =>
      limits.map(([key, maximum]) => [used.has(key) || used.size < maxCounts ? key : 'others', maximum]);
    const usedBy = (key: string): number => used.get(key) ?? 0;
    return {
      isSpent: () => counts().some(([key, maximum]) => usedBy(key) >= maximum),
      take(bytes) {
        beginPeriod();
        const current = counts();
        const isEnough = current.every(([key, maximum]) => usedBy(key) + bytes <= maximum);
        for (const [key, maximum] of current) {
          if (isEnough) used.set(key, usedBy(key) + bytes);
          else if (usedBy(key) + bytes > maximum) used.set(key, maximum);
        }
        return isEnough;
      },
      giveBack(bytes) {
        for (const [key] of counts()) used.set(key, Math.max(0, usedBy(key) - bytes));
      },
      leaveOut() {
        beginPeriod();
        leftOut += 1;
      },
    };
  }

  // Closing reports the number of omitted lines so far.
  return { quota, close: settle };
}

/** Creates a limit of the log output caused by unauthenticated callers. */
export function createLogQuota(options: LogQuotaOptions): LogQuota & { readonly close: () => void } {
  const { quota, close } = createCounts(options);
  return { ...quota([['all', maxBytes]]), close };
}

/** Limits the log output of refused requests with a token, per token and per address. */
export type RefusalQuota = ReturnType<typeof createRefusalQuota>;

export function createRefusalQuota(options: LogQuotaOptions) {
  const { quota, close } = createCounts(options);
  return {
    /** Returns the quota of a request. A token is counted by its hash, so that it is not stored here. */
    of(token: string, peer: string): LogQuota {
      const name = createHash('sha256').update(token).digest('base64');
      return quota([
        [`token ${name}`, maxOfToken],
        [`address ${peer}`, maxBytes],
      ]);
    },
    close,
  };
}
