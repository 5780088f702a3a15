import { sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import type { KeyRange } from '../protocol/requests.js';
import { watchRange, type KeyChange } from './watch.js';

/** Milliseconds before a range that could not be read, or whose watch broke, is read again. */
const retryDelay = 100;

export interface FollowRangeOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly range: KeyRange;
  /** Reads the range as a whole; resolves with the revision of the response. */
  readonly read: () => Promise<number>;
  /** Receives the changes after that revision, in order. */
  readonly hear: (change: KeyChange) => void;
  readonly signal: AbortSignal;
}

/** Reads a range, then watches it; restarts after every interruption. Only the signal ends it. */
export async function followRange(options: FollowRangeOptions): Promise<void> {
  const { transport, clock, range, read, hear, signal } = options;
  while (!signal.aborted) {
    try {
      const revision = await read();
      for await (const { changes } of watchRange(transport, range, revision + 1, signal))
        changes.forEach(hear);
    } catch {
      await sleep(clock, retryDelay, signal);
    }
  }
}
