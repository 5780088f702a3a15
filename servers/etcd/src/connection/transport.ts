import type { Method } from '../protocol/methods.js';

export interface CallOptions {
  /** Timeout for the whole call including retries, in ms; default: 5,000. */
  readonly timeout?: number;
  /** A member without a leader refuses at once instead of waiting for one; default: true. */
  readonly requireLeader?: boolean;
}

export interface StreamOptions {
  /** A member that loses its leader ends the stream; default: true. */
  readonly requireLeader?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Calls of etcd. A connection to all members is one, a channel to one of them too, and so is a model of etcd in a test.
 *
 * @throws EtcdError
 */
export interface Transport {
  call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<Response>;
  /** Sends one request and yields the responses. A slow reader slows down the sender; leaving the loop ends the call. */
  stream<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options?: StreamOptions,
  ): AsyncIterable<Response>;
}

/** A channel to one member. */
export interface Channel {
  call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options: ChannelOptions & { readonly timeout: number },
  ): Promise<Response>;
  stream<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options: ChannelOptions & { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<Response>;
  /** Ends every call with `unknown`. */
  close(): void;
}

export interface ChannelOptions {
  readonly requireLeader: boolean;
  /** The token of a user who has authenticated. */
  readonly token?: string | undefined;
}
