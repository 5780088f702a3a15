import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.js';

/** Limits the log output of refused requests with a token, per token and per address. */
export type RefusalQuota = ReturnType<typeof createRefusalQuota>;

export interface RefusalQuotaOptions {
  readonly clock: Clock;
  /** Called at the end of a period, with the number of omitted requests and the start of the period. */
  readonly report: (count: number, since: number) => void;
}

/** Length of a period, in ms. */
const period = 60_000;
/** Maximum bytes for one token per period. Enough for about 60 refusals. */
const maxOfToken = 100_000;
/** Maximum bytes for one address per period. */
const maxOfPeer = 500_000;
/** Maximum number of tokens and addresses that are counted separately. All others share one count. */
const maxCounts = 20_000;

export function createRefusalQuota({ clock, report }: RefusalQuotaOptions) {
  const used = new Map<string, number>();
  let leftOut = 0;
  let since = 0;
  let cancel: (() => void) | null = null;

  function settle(): void {
    cancel?.();
    cancel = null;
    used.clear();
    if (leftOut > 0) report(leftOut, since);
    leftOut = 0;
  }

  /** Returns the keys of a request with their maximums. A token is counted by its hash, so that it is not stored here. */
  function countsOf(token: string, peer: string): readonly (readonly [key: string, maximum: number])[] {
    const name = createHash('sha256').update(token).digest('base64');
    return [
      [keyOf(`token ${name}`), maxOfToken],
      [keyOf(`address ${peer}`), maxOfPeer],
    ];
  }

  const keyOf = (key: string): string => (used.has(key) || used.size < maxCounts ? key : 'others');

  return {
    /** Whether the quota is used up. Avoids creating lines that would not be written. */
    isSpent: (token: string, peer: string): boolean =>
      countsOf(token, peer).some(([key, maximum]) => (used.get(key) ?? 0) >= maximum),
    /** Takes bytes from the quota. Returns false if they exceed it; then nothing more is available until the next period. */
    take(token: string, peer: string, bytes: number): boolean {
      if (cancel === null) {
        since = clock.now();
        cancel = clock.after(period, settle);
      }
      const counts = countsOf(token, peer);
      const isEnough = counts.every(([key, maximum]) => (used.get(key) ?? 0) + bytes <= maximum);
      for (const [key, maximum] of counts) {
        const now = used.get(key) ?? 0;
        if (isEnough) used.set(key, now + bytes);
        else if (now + bytes > maximum) used.set(key, maximum);
      }
      return isEnough;
    },
    /** Counts a request that was not recorded. */
    leaveOut: (): void => void (leftOut += 1),
    /** Reports the counts so far. */
    close: settle,
  };
}
