import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.js';

/** Bounds what refused requests with a token write into the logs, for each token and for each address. */
export interface RefusalQuota {
  /** Whether nothing is left: what would not be written need not be made. */
  isSpent(token: string, peer: string): boolean;
  /** False if it would be too much: then nothing is left until the next period. */
  take(token: string, peer: string, bytes: number): boolean;
  /** Counts a request that was not written. */
  leaveOut(): void;
  /** Reports what was counted so far. */
  close(): void;
}

export interface RefusalQuotaOptions {
  readonly clock: Clock;
  /** Called at the end of a period with the number of requests left out, and the time when it began. */
  readonly report: (count: number, since: number) => void;
}

/** Milliseconds of a period. */
const period = 60_000;
/** Maximum bytes of one token in a period: about 60 refusals. */
const maxOfToken = 100_000;
/** Maximum bytes of one address in a period. */
const maxOfPeer = 500_000;
/** Maximum number of tokens and addresses that are counted one by one; all others share one count. */
const maxCounts = 20_000;

export function createRefusalQuota({ clock, report }: RefusalQuotaOptions): RefusalQuota {
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

  /** Each key with its maximum. Tokens are counted under a hash: none is kept here. */
  function countsOf(token: string, peer: string): readonly (readonly [key: string, maximum: number])[] {
    const name = createHash('sha256').update(token).digest('base64');
    return [
      [keyOf(`token ${name}`), maxOfToken],
      [keyOf(`address ${peer}`), maxOfPeer],
    ];
  }

  const keyOf = (key: string): string => (used.has(key) || used.size < maxCounts ? key : 'others');

  return {
    isSpent: (token, peer) => countsOf(token, peer).some(([key, maximum]) => (used.get(key) ?? 0) >= maximum),
    take(token, peer, bytes) {
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
    leaveOut: () => void (leftOut += 1),
    close: settle,
  };
}
