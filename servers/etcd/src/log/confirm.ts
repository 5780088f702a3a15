import type { Transport } from '../connection/transport.js';
import { initialTimeoutMs } from './guard.js';
import { shareReads } from './shared-read.js';
import { methods } from '../protocol/methods.js';
import { rangeRequest } from '../protocol/requests.js';

/** Milliseconds for the read: after half of it the connection asks again, for one that was lost with etcd's leader. */
const timeoutMs = 2 * initialTimeoutMs;

/**
 * Makes a question that the members of etcd answer together: whether the leader of a term leads still, so that no other
 * has acknowledged anything before the question. One read serves all who wait.
 *
 * @param key of the election.
 * @returns resolves to an answer that is no older than the call. @throws EtcdError when nobody answers
 */
export function confirmLeader(transport: Transport, key: string): (term: number) => Promise<boolean> {
  const readTerm = shareReads(async () => {
    const { kvs } = await transport.call(methods.range, rangeRequest({ key }), { timeout: timeoutMs });
    return Number(kvs[0]?.createRevision ?? 0);
  });
  return async (term) => (await readTerm()) === term;
}
