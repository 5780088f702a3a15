import { every, type Clock } from '../base/clock.js';
import type { Clocks } from '../base/clocks.js';
import type { PeerClient } from './peer-client.js';

/** Periodically requests the time of the active server, to compare the clocks and to detect a server that does not respond. */
export type ActiveWatch = ReturnType<typeof watchActive>;

export interface ActiveWatchOptions {
  readonly client: PeerClient;
  readonly clock: Clock;
  readonly clocks: Clocks;
  /** Returns the address of the active server; null if this server is active. */
  readonly activeAddress: () => string | null;
  /** Whether this server can write its audit log. */
  readonly canAudit: () => boolean;
  /** Null while this server is sealed. */
  readonly peerKey: () => Buffer | null;
}

/** Interval between requests, in ms. */
const interval = 1_000;
/**
 * Length of a tick in ms; then the timeout for a response, in ticks. A suspended process counts the whole suspension as one tick.
 */
const tick = 1_000;
const timeoutTicks = 5;

export function watchActive(options: ActiveWatchOptions) {
  const { client, clock, clocks } = options;
  const listeners = new Set<{ readonly address: string; readonly notify: () => void }>();
  const closing = new AbortController();
  const stopPolling = every(clock, interval, async () => {
    const address = options.activeAddress();
    const key = options.peerKey();
    if (address !== null && key !== null) await pollTime(address, key);
  });

  async function pollTime(address: string, key: Buffer): Promise<void> {
    const late = new AbortController();
    let left = timeoutTicks;
    const wait = (): (() => void) =>
      clock.after(tick, () => {
        left -= 1;
        if (left > 0) stop = wait();
        else late.abort();
      });
    let stop = wait();
    const leave = (): void => late.abort();
    closing.signal.addEventListener('abort', leave);
    const sent = clock.now();
    try {
      const report = { ...clocks.report(address), canAudit: options.canAudit() };
      const response = await client.fetchTime(address, key, report, late.signal);
      if (response !== null) clocks.learn(address, response, sent, clock.now());
    } catch {
      // Other parts detect a dead server, by its closed port or its lease.
    } finally {
      stop();
      closing.signal.removeEventListener('abort', leave);
    }
    if (left > 0) return;
    for (const each of [...listeners]) if (each.address === address) each.notify();
  }

  return {
    /** Calls `listener` if the server at an address has not responded for a while. */
    onSilence(address: string, notify: () => void): () => void {
      const listener = { address, notify };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close(): void {
      void stopPolling();
      closing.abort();
    },
  };
}
