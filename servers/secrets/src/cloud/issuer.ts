import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { Clock } from '../base/clock.js';
import { createBreaker } from './breaker.js';
import { CloudError } from './cloud-error.js';
import { buildUrl, get, isRecord, readObject, textField } from './cloud-request.js';
import type { CloudResponse, CloudRequest } from './cloud-request.js';
import { isTrustedAddress } from './endpoints.js';
import { createSingleFlight, untilAborted } from './single-flight.js';
import type { Send } from './transport.js';

/** The discovery document of an issuer (OpenID Connect Discovery 1.0, section 3). */
export interface Discovery {
  /** Exact `iss` claim of its tokens. */
  readonly issuer: string;
  readonly keySetUrl: URL;
}

export interface IssuerOptions {
  readonly send: Send;
  readonly clock: Clock;
  readonly authority: string;
  readonly tenant: string;
  /**
   * Minimum time between fetches of the key set for unknown keys, in ms. Prevents invented key IDs from causing a request to the
   * cloud per login.
   */
  readonly cooldown: number;
}

/** Finds the key that a token names. It caches imported keys, so each fetched key set has one instance. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** One version of a key set, with the time of its fetch. */
export interface KeySetVersion {
  readonly keys: KeySet;
  readonly fetchedAt: number;
}

/** The issuer of the tokens of one tenant. Caches its name and its keys. */
export type Issuer = ReturnType<typeof createIssuer>;

const discoveryAge = 3_600_000;
const keySetAge = 600_000;
/**
 * Time for which a key set that cannot be refreshed stays in use, in ms. Prevents a short outage of the issuer from blocking
 * logins.
 */
const staleKeySetAge = 3_600_000;
/**
 * Timeout for a refresh while older keys can still be used, in ms. Prevents an issuer that does not respond from blocking logins.
 */
const staleTimeoutMs = 2_000;
/** Maximum number of keys. Prevents each verification from trying thousands of keys. */
const maxKeys = 100;

function discoveryRequest(authority: string, tenant: string): CloudRequest {
  return get('the discovery document', buildUrl(authority, [tenant, '.well-known', 'openid-configuration']));
}

function readDiscovery(request: CloudRequest, response: CloudResponse): Discovery {
  const document = readObject(request, response);
  const issuer = textField(document, 'issuer');
  const address = textField(document, 'jwks_uri');
  if (issuer === null || address === null || !URL.canParse(address)) {
    throw new CloudError('malformed', 'the discovery document lacks issuer or jwks_uri');
  }
  const keySetUrl = new URL(address);
  if (!isTrustedAddress(keySetUrl)) {
    throw new CloudError('malformed', 'the key set of the discovery document has no https:// address');
  }
  return { issuer, keySetUrl };
}

function keySetRequest(url: URL): CloudRequest {
  return get('the key set', url);
}

function readKeySet(request: CloudRequest, response: CloudResponse): KeySet {
  const { keys } = readObject(request, response);
  if (!Array.isArray(keys) || keys.length > maxKeys || !keys.every(isKey)) {
    throw new CloudError('malformed', `the key set is no list of at most ${String(maxKeys)} keys`);
  }
  return createLocalJWKSet({ keys: keys.map(plainKey) });
}

/**
 * Returns the parts of a key that are strings or lists of strings. The library copies the whole key, which would fail for deeply
 * nested values.
 */
function plainKey(key: JSONWebKeySet['keys'][number]): JSONWebKeySet['keys'][number] {
  const isText = (value: unknown): boolean => typeof value === 'string';
  const isPlain = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.every(isText));
  return Object.fromEntries(Object.entries(key).filter(([, value]) => isPlain(value))) as typeof key;
}

function isKey(value: unknown): value is JSONWebKeySet['keys'][number] {
  return isRecord(value) && textField(value, 'kty') !== null;
}

export function createIssuer({ send, clock, authority, tenant, cooldown }: IssuerOptions) {
  const breaker = createBreaker({ clock });
  const discoveries = createSingleFlight<Discovery>();
  const fetches = createSingleFlight<KeySetVersion>();
  // Shared requests end only by the timeout of the transport: a caller that leaves must not end them for others.
  const never = new AbortController().signal;
  let discovery: { readonly value: Discovery; readonly fetchedAt: number } | null = null;
  let current: KeySetVersion | null = null;

  /** Returns the age in ms. If the clock was set back, a cached value counts as old. */
  const ageOf = (retained: { readonly fetchedAt: number }): number =>
    Math.abs(clock.now() - retained.fetchedAt);

  const discover = async (): Promise<Discovery> => {
    if (discovery !== null && ageOf(discovery) < discoveryAge) return discovery.value;
    return discoveries('', async () => {
      const request = discoveryRequest(authority, tenant);
      const value = await breaker(async () => readDiscovery(request, await send(request, never)));
      discovery = { value, fetchedAt: clock.now() };
      return value;
    });
  };

  const fetchKeySet = (): Promise<KeySetVersion> =>
    fetches('', async () => {
      const request = keySetRequest((await discover()).keySetUrl);
      const keys = await breaker(async () => readKeySet(request, await send(request, never)));
      current = { keys, fetchedAt: clock.now() };
      return current;
    });

  const keySet = async (): Promise<KeySetVersion> => {
    const known = current;
    const age = known === null ? Number.POSITIVE_INFINITY : ageOf(known);
    if (known !== null && age < keySetAge) return known;
    return known !== null && age < staleKeySetAge ? newerOr(known) : fetchKeySet();
  };

  const newerOr = (known: KeySetVersion): Promise<KeySetVersion> =>
    new Promise((resolve) => {
      const cancel = clock.after(staleTimeoutMs, () => resolve(known));
      void fetchKeySet()
        .then(resolve, () => resolve(known))
        .finally(cancel);
    });

  return {
    discover: (signal: AbortSignal): Promise<Discovery> => untilAborted(discover(), signal),
    keySet: (signal: AbortSignal): Promise<KeySetVersion> => untilAborted(keySet(), signal),
    /** Fetches the keys again. Resolves to null during the cooldown. */
    async refreshKeySet(known: KeySetVersion, signal: AbortSignal): Promise<KeySetVersion | null> {
      // A key set that differs from the caller's was fetched later, whatever its timestamp says.
      if (current !== null && current !== known) return current;
      if (ageOf(known) < cooldown) return null;
      return untilAborted(fetchKeySet(), signal);
    },
  };
}
