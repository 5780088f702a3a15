import type { Clock } from '../clock.js';
import { defaultTimeout } from '../connection/session.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { methods } from '../protocol/methods.js';
import { rangeRequest } from '../protocol/requests.js';
import type { RangeResponse } from '../protocol/messages.js';
import { createAppender, type Appender } from './append.js';
import { followLog, type FollowEvent } from './follow.js';
import { initialTimeoutMs } from './guard.js';
import type { Head } from './head.js';
import { createHistory } from './history.js';
import { layoutOf } from './layout.js';
import { shareReads } from './shared-read.js';

/** Timeout for the follower to apply the result of a read, in ms. */
const applyTimeoutMs = 5_000;

/**
 * A log of commits below a prefix of keys, which servers share: the one that leads appends, all follow. Keys: `leader` is
 * the election's, `head` is the end of the log, `r/...` are the rows, `c/...` chunks of large commits.
 */
export interface Log extends Appender {
  /** One follower at a time: see `FollowEvent`. */
  follow(from: string | null, signal: AbortSignal): AsyncGenerator<FollowEvent>;
  /** The end of the log as far as this process has heard. */
  head(): Head | undefined;
  /** Resolves to whether everything up to a revision is applied in time; a new leader waits for its term. */
  reached(revision: number, timeout: number): Promise<boolean>;
  /**
   * Resolves when everything is applied that was committed anywhere before the call. Concurrent callers share one read of etcd.
   *
   * @throws EtcdError `not-sent` if etcd cannot be reached or the follower does not get that far.
   */
  refresh(): Promise<void>;
  /** The time of the last such read that was applied, by the clock, when it was sent; -Infinity before the first. */
  refreshedAt(): number;
}

export interface LogDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Such as `/scheduler/global/`. */
  readonly prefix: string;
}

export function openLog({ transport, clock, prefix }: LogDependencies): Log {
  const layout = layoutOf(prefix);
  const history = createHistory(clock);
  const recheck = { current: (): void => undefined };
  const appender = createAppender({ transport, clock, layout, history });
  let refreshedAt = -Infinity;

  const readHead = (timeout: number): Promise<RangeResponse> =>
    transport.call(methods.range, rangeRequest({ key: layout.head }), { timeout });

  /** A read that is lost with etcd's leader is repeated with the next one. */
  async function readHeadTwice(): Promise<RangeResponse> {
    try {
      return await readHead(initialTimeoutMs);
    } catch (error) {
      if (!(error instanceof EtcdError) || error.code !== 'unknown') throw error;
      return readHead(defaultTimeout - initialTimeoutMs);
    }
  }

  const refresh = shareReads(async () => {
    const sentAt = clock.now();
    const before = history.newest();
    const { kvs } = await readHeadTwice();
    const revision = Number(kvs[0]?.modRevision ?? 0);
    const isSameHead =
      before === undefined || before.revision !== revision || kvs[0]?.value.equals(before.bytes);
    // A store with a lower revision than known before the read was restored from a snapshot.
    if (revision < (before?.revision ?? 0) || isSameHead === false) recheck.current();
    else if (await history.reached(revision, applyTimeoutMs)) {
      if (history.followed() >= revision) {
        refreshedAt = sentAt;
        return;
      }
      // The watch has reported a later commit, and skipped the one that the read has found.
      recheck.current();
    }
    throw new EtcdError('not-sent', 'etcd log: what is committed has not been applied in time');
  });

  return {
    ...appender,
    follow: (from, signal) => followLog({ transport, clock, layout, history, recheck }, from, signal),
    head: () => history.newest(),
    reached: (revision, timeout) => history.reached(revision, timeout),
    refresh,
    refreshedAt: () => refreshedAt,
  };
}
