import { badRequest } from '../base/errors.js';

/** The terms of a lease: bounds of the lifetime of a token, in seconds; 0 means unset. */
export interface LeaseTerms {
  readonly ttl: number;
  readonly maxTtl: number;
  readonly explicitMaxTtl: number;
  readonly period: number;
}

/** The server's own bounds, in seconds. */
export interface LeaseLimits {
  readonly defaultTtl: number;
  readonly maxTtl: number;
}

export interface Lease {
  /** Expiry, in ms since 1970. */
  readonly expiresAt: number;
  /** Whole seconds from now, at least 1: clients read 0 as unlimited. */
  readonly seconds: number;
  /** Whether the lease is shorter than the terms request. */
  readonly shortened: boolean;
}

/**
 * Returns the lease, from `now` on, of a token created at `createdAt`. If there is a period, it restarts at each renewal and only
 * the explicit maximum limits it. Other leases end at most `maxTtl` after the creation of the token.
 *
 * @param wish.increment seconds that the caller requests instead of the default; 0 for the default.
 * @param wish.end latest end of the lease, in ms since 1970.
 * @throws SecretsError `bad-request` if the end has passed.
 */
export function grantLease(
  terms: LeaseTerms,
  limits: LeaseLimits,
  createdAt: number,
  now: number,
  { increment = 0, end = Infinity }: { readonly increment?: number; readonly end?: number } = {},
): Lease {
  const requested =
    terms.period > 0 ? terms.period : increment > 0 ? increment : terms.ttl || limits.defaultTtl;
  const granted = terms.period > 0 ? Math.min(requested, limits.maxTtl) : requested;
  const last = Math.min(createdAt + lifetime(terms, limits) * 1000, end);
  if (last <= now) throw badRequest('the token is past its maximum lifetime');
  const expiresAt = Math.min(now + granted * 1000, last);
  return {
    expiresAt,
    seconds: Math.max(1, Math.floor((expiresAt - now) / 1000)),
    shortened: expiresAt < now + requested * 1000,
  };
}

/** Returns the maximum lifetime of a token from its creation, in seconds. */
function lifetime({ period, maxTtl, explicitMaxTtl }: LeaseTerms, limits: LeaseLimits): number {
  const explicit = explicitMaxTtl || Infinity;
  return period > 0 ? explicit : Math.min(limits.maxTtl, maxTtl || Infinity, explicit);
}
