import { sleep } from '@tamis/http';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import {
  electionTimeoutMs,
  noLeader,
  type KnownLeader,
  type Leadership,
} from '@tamis/scheduler-state/cluster/leadership.js';
import { clientDisconnected, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { fromServerHeader, type CallLeader, type ForwardedCall } from '../api/kernel/requests/forwarded.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import { relayResponse, relayTo } from './relay.js';
import { unknownOutcome, type RpcClient } from './rpc-client.js';

export interface LeaderRelayOptions {
  readonly leadership: Pick<Leadership, 'current' | 'require' | 'subscribe'>;
  readonly client: Pick<RpcClient, 'send'>;
  readonly state: Pick<State, 'reached'>;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
}

/** Delay before a request that no server has acted on is retried, in ms. */
const retryDelay = 50;
/** Timeout for the leader's response, in ms; only a stuck write takes longer. */
const responseTimeoutMs = 10_000;
/** Timeout for the response of a leader after another server was elected, in ms. */
const farewellTime = 1_000;
/** Timeout for this server to apply a write of the leader, in ms. */
const applyTimeoutMs = 5_000;
/** Maximum requests waiting for the leader at a time. Prevents clients from filling the memory while there is no leader. */
const maxWaiting = 1_024;

/** The outcome of one attempt. If nothing was done, the request can be repeated with another leader. */
type Attempt<R> = { readonly isDone: true; readonly result: R } | { readonly isDone: false };

const untouched: Attempt<never> = { isDone: false };

/** Creates functions that call the leader, by the path prefix on the leader's RPC port. */
export function createLeaderRelay(options: LeaderRelayOptions): (prefix: string) => CallLeader {
  const { clock, leadership } = options;
  let relayed = 0;

  async function relay(prefix: string, leader: KnownLeader, call: ForwardedCall): Promise<Attempt<null>> {
    if (relayed >= maxWaiting) {
      const text = `More than ${maxWaiting} requests wait for the leader by way of this server, try later`;
      throw new SchedulerError('too-many-requests', text);
    }
    relayed += 1;
    try {
      const response = await send(options, prefix, leader, call);
      if (response === null) return untouched;
      await catchUpWith(response, options, call.signal);
      await relayResponse(response, call.reply);
      return { isDone: true, result: null };
    } finally {
      relayed -= 1;
    }
  }

  return (prefix) => async (call, here) => {
    if (call.request.headers[fromServerHeader] !== undefined) return handleAsLeader(leadership, here);
    const end = clock.elapsed() + electionTimeoutMs;
    for (let left = electionTimeoutMs; left > 0; left = end - clock.elapsed()) {
      const leader = await leadership.require(call.signal, left);
      const attempt =
        leader.location === 'here' ? await attemptHere(here) : await relay(prefix, leader, call);
      if (attempt.isDone) return attempt.result;
      await sleep(clock, Math.max(0, Math.min(retryDelay, end - clock.elapsed())), call.signal);
    }
    throw noLeader();
  };
}

/** Runs a write on this server as the leader. If there is no leader, the write has changed nothing. */
async function attemptHere<R>(here: () => Promise<R>): Promise<Attempt<R>> {
  try {
    return { isDone: true, result: await here() };
  } catch (error) {
    if (error instanceof SchedulerError && error.code === 'no-leader') return untouched;
    throw error;
  }
}

/**
 * Handles a forwarded request as the leader. @throws SchedulerError `not-here` if nothing was done, so that the forwarding server
 * tries another one.
 */
async function handleAsLeader<R>(
  leadership: Pick<Leadership, 'current'>,
  here: () => Promise<R>,
): Promise<R> {
  const attempt = leadership.current().location === 'here' ? await attemptHere(here) : untouched;
  if (attempt.isDone) return attempt.result;
  throw new SchedulerError('not-here', 'This server does not lead');
}

/**
 * Sends a request to the leader. Returns the response once it starts; null if nothing was done. @throws SchedulerError
 * `unknown-outcome`, `client-gone`
 */
async function send(
  { clock, client, leadership }: LeaderRelayOptions,
  prefix: string,
  { server, term }: KnownLeader,
  { request, signal }: ForwardedCall,
): Promise<IncomingMessage | null> {
  const late = new AbortController();
  const stop = withResponseTimeout({ clock, leadership }, term, () => late.abort());
  const both = AbortSignal.any([signal, late.signal]);
  try {
    return await relayTo(client, server, { request, prefix, signal: both });
  } catch {
    if (signal.aborted) throw clientDisconnected();
    throw unknownOutcome('The leader');
  } finally {
    stop();
  }
}

/** Calls `giveUp` if a leader takes too long to respond, or does not respond after another has been elected. */
function withResponseTimeout(
  { clock, leadership }: Pick<LeaderRelayOptions, 'clock' | 'leadership'>,
  term: number,
  giveUp: () => void,
): () => void {
  const cancels = [clock.after(responseTimeoutMs, giveUp)];
  let isReplaced = false;
  const unsubscribe = leadership.subscribe(() => {
    const leader = leadership.current();
    if (isReplaced || leader.location === 'nobody' || leader.term === term) return;
    isReplaced = true;
    cancels.push(clock.after(farewellTime, giveUp));
  });
  return () => {
    unsubscribe();
    for (const cancel of cancels) cancel();
  };
}

/** Waits until this server has applied the leader's write, so that clients can read their own writes on this server. */
async function catchUpWith(
  response: IncomingMessage,
  { clock, state }: Pick<LeaderRelayOptions, 'clock' | 'state'>,
  signal: AbortSignal,
): Promise<void> {
  const index = Number(response.headers['x-scheduler-index']);
  if (response.statusCode !== 200 || Number.isNaN(index)) return;
  const late = new AbortController();
  const cancel = clock.after(applyTimeoutMs, () => late.abort());
  const isReached = await state.reached(index, AbortSignal.any([signal, late.signal]));
  cancel();
  if (isReached) return;
  response.destroy();
  throw new SchedulerError(
    'unknown-outcome',
    `The leader has stored the write at index ${index}, and this server has not heard of it yet: look before it is sent again`,
  );
}
