import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, SignJWT, type JWK } from 'jose';
import type { TokenContents } from 'oidc-provider';

/** A key that an issuer signs with. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** An application that can request a token from the issuer, and the claims of its tokens. */
export interface FakeApplication {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** An issuer of one tenant: a real OpenID provider below `/{tenant}`. */
export interface FakeIssuer {
  readonly issuer: string;
  readonly key: SigningKey;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Signs with a new key from now on and publishes it next to the old one. */
  rotateKeys(): void;
}

/** Keys cost a tenth of a second each: tests share them, and make those that they use. */
const keys = new Map<number, SigningKey>();

export function signingKey(index: number): SigningKey {
  const known = keys.get(index);
  if (known !== undefined) return known;
  // Node 20 may deadlock if a key that it generated becomes a JWK: the export holds the key's lock and allocates, and the
  // collector then ends the generation, which requests the same lock. A key that was read has no such job.
  const pem = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const key = {
    kid: `key-${String(index)}`,
    publicKey: createPublicKey(pem.publicKey),
    privateKey: createPrivateKey(pem.privateKey),
  };
  keys.set(index, key);
  return key;
}

export interface FakeIssuerOptions {
  readonly issuer: string;
  /** The path that the issuer lies below, such as `/tenant`. */
  readonly path: string;
  readonly audience: string;
  readonly applications: () => readonly FakeApplication[];
}

type Callback = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createFakeIssuer(options: FakeIssuerOptions): FakeIssuer {
  const { issuer, path, audience, applications } = options;
  let current = 0;
  /** Created on first use: most of the tests that must cause no call never need it. */
  let callback: Promise<Callback> | null = null;

  async function createCallback(): Promise<Callback> {
    const { Provider } = await import('oidc-provider');
    const all = Array.from({ length: current + 1 }, (_, index) => privateJwk(signingKey(index)));
    const published = (await Promise.all(all)).reverse();
    const provider = new Provider(issuer, {
      jwks: { keys: published },
      clients: applications().map(({ clientId, clientSecret }) => ({
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      })),
      adapter: ForgetfulAdapter,
      cookies: { keys: ['nobody signs in with a browser'] },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            scope: 'read',
            audience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256', kid: signingKey(current).kid } },
          }),
        },
      },
      ttl: { ClientCredentials: 3_600 },
      formats: { customizers: { jwt: addClaims } },
    });
    return provider.callback();
  }

  function addClaims(_context: unknown, _token: unknown, { payload }: TokenContents): void {
    const application = applications().find(({ clientId }) => clientId === payload.client_id);
    Object.assign(payload, { nbf: Number(payload.iat) - 300, ...application?.claims });
  }

  return {
    issuer,
    get key() {
      return signingKey(current);
    },
    async handle(request, response) {
      // The provider finds its own prefix by comparing the two.
      const url = request.url ?? '';
      Object.assign(request, { originalUrl: url, url: url.slice(path.length) });
      callback ??= createCallback();
      await (
        await callback
      )(request, response);
    },
    rotateKeys() {
      current += 1;
      callback = null;
    },
  };
}

/** The provider wants a store. Tokens are signed texts here, so there is nothing to find again. */
class ForgetfulAdapter {
  async upsert(): Promise<void> {
    return undefined;
  }
  async find(): Promise<undefined> {
    return undefined;
  }
}

async function privateJwk({ kid, privateKey }: SigningKey): Promise<JWK> {
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' };
}

/** Signs claims by hand, for tokens that no issuer would make. */
export function signByHand(
  claims: Readonly<Record<string, unknown>>,
  { kid, privateKey }: SigningKey,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey);
}
