import type { IncomingMessage } from 'node:http';
import { sleep } from '@tamis/scheduler-model/base/backoff.js';
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
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** Milliseconds before a request that nobody has acted on is tried again. */
const retryDelay = 50;
/** Milliseconds that a leader may take to answer; no write takes longer that is not stuck. */
const responseTimeoutMs = 10_000;
/** Milliseconds that a leader may take to answer when another has taken its place. */
const farewellTime = 1_000;
/** Milliseconds that this server is given to apply what the leader has written. */
const applyTimeoutMs = 5_000;
/** Most requests that wait for the leader at a time. Stops clients from filling the memory of a server that cannot answer. */
const maxWaiting = 1_024;

/** An attempt to get an answer; where nothing was done it may be repeated, with another leader. */
type Attempt<R> = { readonly isDone: true; readonly result: R } | { readonly isDone: false };

const untouched: Attempt<never> = { isDone: false };

/** Makes what asks the leader, for requests whose paths stand behind a prefix on the leader's RPC port. */
export function createLeaderRelay(options: LeaderRelayOptions): (prefix: string) => CallLeader {
  const { clock, leadership } = options;
  let relayed = 0;

  async function relay(prefix: string, leader: KnownLeader, call: ForwardedCall): Promise<Attempt<null>> {
    if (relayed >= maxWaiting) {
      const text = `More than ${maxWaiting} requests wait for the leader by way of this server, try later`;
      throw new SchedulerError('too-many-waiters', text);
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
    const end = clock.now() + electionTimeoutMs;
    for (let left = electionTimeoutMs; left > 0; left = end - clock.now()) {
      const leader = await leadership.require(call.signal, left);
      const attempt =
        leader.location === 'here' ? await attemptHere(here) : await relay(prefix, leader, call);
      if (attempt.isDone) return attempt.result;
      await sleep(clock, Math.max(0, Math.min(retryDelay, end - clock.now())), call.signal);
    }
    throw noLeader();
  };
}

/** A write without a leader has changed nothing. */
async function attemptHere<R>(here: () => Promise<R>): Promise<Attempt<R>> {
  try {
    return { isDone: true, result: await here() };
  } catch (error) {
    if (error instanceof SchedulerError && error.code === 'no-leader') return untouched;
    throw error;
  }
}

/** @throws SchedulerError `not-here` where nothing was done: the server that has passed the request on asks another one. */
async function handleAsLeader<R>(
  leadership: Pick<Leadership, 'current'>,
  here: () => Promise<R>,
): Promise<R> {
  const attempt = leadership.current().location === 'here' ? await attemptHere(here) : untouched;
  if (attempt.isDone) return attempt.result;
  throw new SchedulerError('not-here', 'This server does not lead');
}

/** The answer of the leader as it begins; null where nothing was done. @throws SchedulerError `unknown-outcome`, `client-gone` */
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

/** Calls `giveUp` when a leader has taken too long to answer, or does not after another has been elected. */
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

/** Waits until this server holds what the leader has written: whoever has written here reads it here. */
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
