import { pause, type Clock } from '../clock.js';
import type { CallOptions, Transport } from '../connection/transport.js';
import { EtcdError, isUnavailable } from '../errors.js';
import { methods } from '../protocol/methods.js';
import { getOperation, hasValue, isCreatedAt } from '../protocol/requests.js';
import type { RequestOp, TxnRequest } from '../protocol/messages.js';
import type { StoredHead } from './head.js';
import type { History } from './history.js';
import type { Layout } from './layout.js';

/** How often a transaction that may be repeated is sent before its outcome is left unknown. */
const tries = 4;
const retryDelay = 100;
/**
 * Milliseconds that a request is given at first. What was under way when etcd lost its leader is lost with it, and etcd
 * itself says so only after seven seconds; sent again, it is answered by the next leader.
 */
export const initialTimeoutMs = 1_500;

/** The answer to a guarded transaction. */
export type GuardedResult =
  | { readonly kind: 'done'; readonly revision: number }
  /** Nothing was done; what the guarded keys were instead. */
  | {
      readonly kind: 'refused';
      readonly revision: number;
      readonly isLeading: boolean;
      readonly head: StoredHead | undefined;
    };

/** A transaction that etcd carries out only while this leader leads and the log ends as it was last seen. */
export function guardedRequest(
  layout: Layout,
  term: number,
  head: StoredHead | undefined,
  success: RequestOp[],
): TxnRequest {
  return {
    compare: [
      isCreatedAt(layout.leader, term),
      head === undefined ? isCreatedAt(layout.head, 0) : hasValue(layout.head, head.bytes),
    ],
    success,
    failure: [getOperation({ key: layout.leader }), getOperation({ key: layout.head })],
  };
}

export interface GuardDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly history: History;
}

/** Sends a guarded transaction once, with the usual time for an answer unless told. @throws EtcdError */
export async function sendGuarded(
  { transport, history }: GuardDependencies,
  request: TxnRequest,
  term: number,
  options: Pick<CallOptions, 'timeout'> = {},
): Promise<GuardedResult> {
  const { succeeded, header, responses } = await transport.call(methods.txn, request, options);
  const revision = Number(header?.revision ?? 0);
  if (succeeded) return { kind: 'done', revision };
  const [leader, head] = responses.map(({ responseRange }) => responseRange?.kvs[0]);
  return {
    kind: 'refused',
    revision,
    isLeading: leader !== undefined && Number(leader.createRevision) === term,
    head: head === undefined ? undefined : history.hear(head.value, Number(head.modRevision)),
  };
}

/**
 * Sends a guarded transaction that does no harm a second time until it is answered.
 *
 * @throws EtcdError
 */
export async function repeatGuarded(
  dependencies: GuardDependencies,
  request: TxnRequest,
  term: number,
): Promise<GuardedResult> {
  for (let left = tries; ; left -= 1) {
    try {
      return await sendGuarded(dependencies, request, term);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (left === 1)
        throw new EtcdError('not-sent', `etcd log: nothing was committed: ${error.message}`, {
          cause: error,
        });
      await pause(dependencies.clock, retryDelay);
    }
  }
}
