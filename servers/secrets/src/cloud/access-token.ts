import type { Clock } from '../base/clock.js';
import { CloudError } from './cloud-error.js';
import { buildUrl, get, postForm, readObject, textField } from './cloud-request.js';
import type { CloudResponse, CloudRequest } from './cloud-request.js';
import { createSingleFlight, untilAborted } from './single-flight.js';
import type { Send } from './transport.js';

/** The credentials with which the server authenticates at the cloud. */
export type Credentials =
  | { readonly kind: 'client-secret'; readonly clientId: string; readonly clientSecret: string }
  /** The identity of the machine that the server runs on; a client ID selects one of several. */
  | { readonly kind: 'managed-identity'; readonly clientId: string }
  /** Federated credentials, which need an issuer of identity tokens. This server has none. */
  | { readonly kind: 'unsupported' };

export interface AccessToken {
  readonly token: string;
  /** Lifetime in seconds, from the time of the response. */
  readonly expiresIn: number;
}

export interface AccessTokensOptions {
  readonly send: Send;
  readonly clock: Clock;
  readonly authority: string;
  readonly tenant: string;
  readonly metadata: string;
  readonly credentials: Credentials;
}

/** Caches the access tokens of one set of credentials, by audience. */
export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Time before its expiry from which a token is no longer used, in ms. It must be valid until the end of a call. */
const margin = 300_000;

/** Returns the request of the client credentials grant (OAuth 2.0, RFC 6749, section 4.4). */
function clientSecretRequest(
  { authority, tenant }: Pick<AccessTokensOptions, 'authority' | 'tenant'>,
  credentials: Extract<Credentials, { kind: 'client-secret' }>,
  audience: string,
): CloudRequest {
  return postForm('the access token', buildUrl(authority, [tenant, 'oauth2', 'v2.0', 'token']), {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
    scope: `${audience}/.default`,
  });
}

/** Returns the request to the instance metadata service, which requires a header that no web page can send. */
function managedIdentityRequest(metadata: string, clientId: string, audience: string): CloudRequest {
  const query = { 'api-version': '2018-02-01', resource: audience };
  const url = buildUrl(
    metadata,
    ['metadata', 'identity', 'oauth2', 'token'],
    clientId === '' ? query : { ...query, client_id: clientId },
  );
  return get('the access token of this machine', url, { metadata: 'true' });
}

function readAccessToken(request: CloudRequest, response: CloudResponse): AccessToken {
  // A definite refusal means that the credentials of this server are wrong, not those of the caller.
  if (response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429) {
    const status = String(response.status);
    throw new CloudError(
      'bad-credentials',
      `${request.name} was refused with status ${status}`,
      response.status,
    );
  }
  const object = readObject(request, response);
  const token = textField(object, 'access_token');
  // The metadata service sends the number as a string.
  const expiresIn = Number(object.expires_in);
  if (token === null || !/^[\x21-\x7e]+$/.test(token) || !(expiresIn > 0)) {
    throw new CloudError('malformed', `${request.name} lacks access_token or expires_in`);
  }
  return { token, expiresIn };
}

export function createAccessTokens(options: AccessTokensOptions) {
  const { send, clock } = options;
  const singleFlight = createSingleFlight<string>();
  const retained = new Map<
    string,
    { readonly token: string; readonly since: number; readonly life: number }
  >();
  const never = new AbortController().signal;

  const fetchToken = async (audience: string): Promise<string> => {
    const request = tokenRequest(options, audience);
    const { token, expiresIn } = readAccessToken(request, await send(request, never));
    retained.set(audience, { token, since: clock.now(), life: expiresIn * 1_000 - margin });
    return token;
  };

  return {
    async token(audience: string, signal: AbortSignal): Promise<string> {
      const known = retained.get(audience);
      // The absolute value makes a token count as old, not as new, if the clock was set back.
      if (known !== undefined && Math.abs(clock.now() - known.since) < known.life) return known.token;
      return untilAborted(
        singleFlight(audience, () => fetchToken(audience)),
        signal,
      );
    },
    /** Removes a token that a service has refused from the cache. */
    drop(audience: string, token: string): void {
      if (retained.get(audience)?.token === token) retained.delete(audience);
    },
  };
}

function tokenRequest(options: AccessTokensOptions, audience: string): CloudRequest {
  const { credentials, metadata } = options;
  switch (credentials.kind) {
    case 'client-secret':
      return clientSecretRequest(options, credentials, audience);
    case 'managed-identity':
      return managedIdentityRequest(metadata, credentials.clientId, audience);
    case 'unsupported':
      throw new CloudError('not-supported', 'federated credentials are not supported in this edition');
  }
}
