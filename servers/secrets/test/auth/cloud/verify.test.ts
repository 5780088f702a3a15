import { createLocalJWKSet, exportJWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { verifyToken } from '../../../src/auth/cloud/verify.js';
import { audience, tenant } from '../../support/fake-cloud.js';
import { signingKey } from '../../support/fake-issuer.js';

const now = 1_700_000_000;
const issuer = 'https://issuer.example/';
const good = { iss: issuer, aud: audience, exp: now + 300, nbf: now - 60, oid: 'somebody' };
const { kid, privateKey, publicKey } = signingKey(0);

/** Proves a token whose parts were read as those of a good one, whatever its text says. */
async function verify(changes: Readonly<Record<string, unknown>>, alg = 'RS256'): Promise<unknown> {
  const text = await new SignJWT({ ...good, ...changes }).setProtectedHeader({ alg, kid }).sign(privateKey);
  // A key that does not say what it is for: nothing but the list of algorithms can refuse it then.
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid }] });
  const known = { keys, fetchedAt: 0 };
  const options = {
    issuer: {
      discover: () => Promise.resolve({ issuer, keySetUrl: new URL(`${issuer}keys`) }),
      keySet: () => Promise.resolve(known),
      refreshKeySet: () => Promise.resolve(null),
    },
    clock: { now: () => now * 1_000 },
    audience,
    tenant,
    maxJwtExp: 0,
  };
  const token = { text, header: { alg: 'RS256', kid }, claims: good };
  return verifyToken(token, options, new AbortController().signal);
}

describe('a token whose parts were read wrong', () => {
  it('is accepted where the signed text says the same', async () => {
    expect(await verify({})).toMatchObject({ objectId: 'somebody' });
  });

  it.each(['RS384', 'RS512', 'PS256'])('is refused when it is signed with %s after all', async (alg) => {
    expect(await verify({}, alg)).toEqual({ refused: expect.stringContaining('ERR_JOSE_ALG_NOT_ALLOWED') });
  });

  it.each([
    [{ aud: 'other' }, 'its aud is wrong'],
    [{ iss: 'https://other.example/' }, 'its iss is wrong'],
    [{ exp: now }, 'ERR_JWT_EXPIRED'],
    [{ nbf: now + 1 }, 'its nbf is wrong'],
    [{ exp: undefined }, 'it has no exp'],
    [{ aud: undefined }, 'it has no aud'],
    [{ iss: undefined }, 'it has no iss'],
    [{ oid: undefined }, 'it has no oid'],
  ])('is refused when its signed text says %j after all', async (changes, why) => {
    expect(await verify(changes)).toEqual({ refused: `the token does not verify: ${why}` });
  });
});
