import { sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
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
 * Timeout of the first attempt of a request, in ms. A request in progress is lost with etcd's leader, which etcd reports only
 * after seven seconds; a repeated one is handled by the next leader.
 */
export const initialTimeoutMs = 1_500;

/** The result of a guarded transaction. */
export type GuardedResult =
  | { readonly kind: 'done'; readonly revision: number }
  /** Nothing was done; the actual values of the guarded keys. */
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

/** Sends a guarded transaction once, with the default timeout unless specified. @throws EtcdError */
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
 * Repeats a guarded, idempotent transaction until there is a response.
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
      await sleep(dependencies.clock, retryDelay);
    }
  }
}
