import { errors, jwtVerify, type JWTVerifyOptions } from 'jose';
import type { Issuer, KeySet } from '../../cloud/issuer.js';
import type { Clock } from '../../base/clock.js';
import { checkUnverified, own, readClaims, type Claims, type Refusal } from './claims.js';
import type { UnverifiedToken } from './unverified-token.js';

export interface VerifyOptions {
  readonly issuer: Issuer;
  readonly clock: Pick<Clock, 'now'>;
  readonly audience: string;
  readonly tenant: string;
  readonly maxJwtExp: number;
}

/**
 * Verifies a token: first the checks without requests, then the issuer's name, then its keys.
 *
 * @throws CloudError if the issuer cannot be queried.
 */
export async function verifyToken(
  token: UnverifiedToken,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<Claims | Refusal> {
  const { issuer, clock, audience, tenant, maxJwtExp } = options;
  const now = clock.now();
  const refusal = checkUnverified(token.header, token.claims, { audience, tenant, now, maxJwtExp });
  if (refusal !== null) return refusal;
  const discovery = await issuer.discover(signal);
  const found = own(token.claims, 'iss');
  if (found !== discovery.issuer)
    return { refused: 'the token is of another issuer', expected: discovery.issuer, found };

  const checks: JWTVerifyOptions = {
    algorithms: ['RS256'],
    issuer: discovery.issuer,
    audience,
    requiredClaims: ['exp', 'aud', 'iss', 'oid'],
    clockTolerance: 0,
    currentDate: new Date(clock.now()),
  };
  const known = await issuer.keySet(signal);
  const first = await verifyWith(known.keys, token.text, checks);
  if (first !== 'unknown-key') return first;
  const fresh = await issuer.refreshKeySet(known, signal);
  const second = fresh === null ? 'unknown-key' : await verifyWith(fresh.keys, token.text, checks);
  return second === 'unknown-key' ? { refused: 'the token is signed with a key that is not known' } : second;
}

async function verifyWith(
  keys: KeySet,
  token: string,
  checks: JWTVerifyOptions,
): Promise<Claims | Refusal | 'unknown-key'> {
  try {
    const { payload } = await verifyWithAny(keys, token, checks);
    return readClaims(payload);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown-key';
    return { refused: `the token does not verify${whyNot(error)}` };
  }
}

/** Describes a failed verification by error codes and claim names only: messages of the library may quote the token. */
function whyNot(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed) return ': its signature is wrong';
  if (error instanceof errors.JWTClaimValidationFailed && /^[a-z_]{2,16}$/.test(error.claim)) {
    return error.reason === 'missing' ? `: it has no ${error.claim}` : `: its ${error.claim} is wrong`;
  }
  return error instanceof errors.JOSEError ? `: ${error.code}` : '';
}

/** Verifies a token. If it has no key ID, tries every matching key. */
async function verifyWithAny(
  keys: KeySet,
  token: string,
  checks: JWTVerifyOptions,
): ReturnType<typeof jwtVerify> {
  try {
    return await jwtVerify(token, keys, checks);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const verified = await jwtVerify(token, key, checks).catch(onlyBadSignature);
      if (verified !== null) return verified;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function onlyBadSignature(error: unknown): null {
  if (error instanceof errors.JWSSignatureVerificationFailed) return null;
  throw error;
}
