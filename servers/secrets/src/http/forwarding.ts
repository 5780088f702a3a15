import { sleep } from '@tamis/http';
import type { ApiResponse } from '../api/endpoint-result.js';
import type { ApiRequest } from '../api/request.js';
import type { Clock } from '../base/clock.js';
import { SecretsError } from '../base/errors.js';
import type { RecordForwarded } from '../api/forwarded-record.js';
import type { PeerClient } from './peer-client.js';

/** A body that is either forwarded as bytes or parsed here. */
export interface ForwardedBody {
  readonly contentType: string;
  read(): Promise<Buffer>;
}

/** Forwards a request that another server must handle. Resolves to null if this server must handle it. @throws SecretsError */
export type Forward = (request: ApiRequest, body: ForwardedBody) => Promise<ApiResponse | null>;

export interface ForwardingOptions {
  readonly client: PeerClient;
  readonly clock: Pick<Clock, 'after'>;
  /** @throws SecretsError if no server responds */
  readonly whereabouts: (
    signal: AbortSignal,
  ) => Promise<{ readonly location: 'here' } | { readonly location: 'there'; readonly address: string }>;
  /** Calls `listener` when a different server may be active. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the address of the active server; null if this server is active. */
  readonly activeAddress: () => string | null;
  readonly peerKey: () => Buffer | null;
  /** Calls `listener` if the server at an address has not responded for a while. */
  readonly onSilence: (address: string, listener: () => void) => () => void;
  readonly record: RecordForwarded;
  /** Paths that every server handles itself. */
  readonly ownPaths: ReadonlySet<string>;
}

/** Delay before a request that a server has not acted on is retried, in ms. */
const retryDelay = 100;
/** Period in which such a request is retried, in ms. */
const timeoutMs = 5_000;
/** Timeout for the response of a server that has been replaced by another, in ms. */
const farewellTime = 1_000;

export function createForwarding(options: ForwardingOptions): Forward {
  const { clock, client } = options;

  async function send(
    address: string,
    request: ApiRequest,
    body: ForwardedBody,
  ): Promise<ApiResponse | null> {
    const bytes = request.operation === 'write' ? await body.read() : Buffer.alloc(0);
    // Read as late as possible, because keys are erased when they are replaced.
    const key = options.peerKey();
    if (key === null) return null;
    const late = new AbortController();
    let cancel = (): void => undefined;
    const look = (): void => {
      if (options.activeAddress() === address) return;
      cancel();
      cancel = clock.after(farewellTime, () => late.abort());
    };
    const unheard = options.subscribe(look);
    const unwatched = options.onSilence(address, () => late.abort());
    look();
    try {
      const signal = AbortSignal.any([request.signal, late.signal]);
      return await client.send(address, key, { request, contentType: body.contentType, body: bytes }, signal);
    } finally {
      unheard();
      unwatched();
      cancel();
    }
  }

  /** Returns the response of the active server; null if that is this server. */
  async function pass(request: ApiRequest, body: ForwardedBody): Promise<ApiResponse | null> {
    let isLate = false;
    const cancel = clock.after(timeoutMs, () => (isLate = true));
    try {
      while (!isLate && !request.signal.aborted) {
        const where = await options.whereabouts(request.signal);
        if (where.location === 'here') return null;
        const response = await send(where.address, request, body);
        if (response !== null) return response;
        await sleep(clock, retryDelay);
      }
    } finally {
      cancel();
    }
    throw new SecretsError('standby', 'the active server cannot be reached: nothing has changed');
  }

  return async (request, body) => {
    if (options.ownPaths.has(request.path)) return null;
    if ((await options.whereabouts(request.signal)).location === 'here') return null;
    return options.record(request, () => pass(request, body));
  };
}
