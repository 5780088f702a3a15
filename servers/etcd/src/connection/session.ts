import { EtcdError, isUnavailable } from '../errors.js';
import { methods, type Method } from '../protocol/methods.js';
import { readPassword } from './password.js';
import type { Endpoint, UserFile } from './settings.js';
import type { CallOptions, Channel, StreamOptions, Transport } from './transport.js';

/** Default timeout of a call, in ms. */
export const defaultTimeout = 5_000;

/** A channel to one member, with the token of the user. The first call that needs a token authenticates the user. */
export interface Session extends Transport {
  readonly endpoint: Endpoint;
  /** Whether the member responds within `timeout` milliseconds, and whether it knows a leader. */
  probe(timeout: number): Promise<{ readonly hasLeader: boolean }>;
  close(): void;
}

export function createSession(endpoint: Endpoint, channel: Channel, user: UserFile | undefined): Session {
  let token: Promise<string> | undefined;

  async function currentToken(timeout: number): Promise<string | undefined> {
    if (user === undefined) return undefined;
    token ??= authenticate(channel, user, timeout);
    const pendingToken = token;
    try {
      return await pendingToken;
    } catch (error) {
      forget(pendingToken);
      throw asUnsent(error);
    }
  }

  /** Drops an expired token, which is then renewed once for all callers. */
  function forget(refused: Promise<string> | undefined): void {
    if (token === refused) token = undefined;
  }

  /** Whether a failed call should be retried with a new token. A watch with an expired token fails with a permission error. */
  function requiresToken(error: unknown): boolean {
    return user !== undefined && error instanceof EtcdError && error.code === 'unauthenticated';
  }

  return {
    endpoint,
    async call<Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      { timeout = defaultTimeout, requireLeader = true }: CallOptions = {},
    ) {
      const send = async (): Promise<Response> => {
        const token = await currentToken(timeout);
        return channel.call(method, request, { timeout, requireLeader, token: token });
      };
      const used = token;
      try {
        return await send();
      } catch (error) {
        if (!requiresToken(error) || used === undefined) throw error;
        forget(used);
        return send();
      }
    },
    async *stream<Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      { requireLeader = true, signal }: StreamOptions = {},
    ) {
      const token = await currentToken(defaultTimeout);
      yield* channel.stream(method, request, { requireLeader, token: token, signal });
    },
    async probe(timeout) {
      const { leader } = await channel.call(methods.status, {}, { timeout, requireLeader: false });
      return { hasLeader: leader !== 0n };
    },
    close: () => channel.close(),
  };
}

async function authenticate(channel: Channel, user: UserFile, timeout: number): Promise<string> {
  const password = readPassword(user);
  const request = { name: user.name, password };
  const { token } = await channel.call(methods.authenticate, request, { timeout, requireLeader: true });
  return token;
}

/** Converts the error of a token request. Whatever its outcome, the call that needs the token was not sent. */
function asUnsent(error: unknown): unknown {
  return isUnavailable(error) ? new EtcdError('not-sent', error.message, { cause: error }) : error;
}
