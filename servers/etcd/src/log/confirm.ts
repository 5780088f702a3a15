import type { Transport } from '../connection/transport.js';
import { initialTimeoutMs } from './guard.js';
import { shareReads } from './shared-read.js';
import { methods } from '../protocol/methods.js';
import { rangeRequest } from '../protocol/requests.js';

/** Timeout of the read, in ms: after half of it the connection repeats a read that was lost with etcd's leader. */
const timeoutMs = 2 * initialTimeoutMs;

/**
 * Creates a linearizable check whether the leader of a term still leads, so that no other leader has acknowledged anything before
 * the check. Concurrent callers share one read.
 *
 * @param key of the election.
 * @returns resolves to a result that is no older than the call. @throws EtcdError if there is no response
 */
export function confirmLeader(transport: Transport, key: string): (term: number) => Promise<boolean> {
  const readTerm = shareReads(async () => {
    const { kvs } = await transport.call(methods.range, rangeRequest({ key }), { timeout: timeoutMs });
    return Number(kvs[0]?.createRevision ?? 0);
  });
  return async (term) => (await readTerm()) === term;
}
