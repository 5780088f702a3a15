import { t } from 'tamis';
import { parseGoDuration } from '@tamis/http';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { policyName } from '@tamis/scheduler-model/acl-policy.js';
import {
  clientType,
  managementType,
  maxTokenNameLength,
  type AclTokenSpec,
} from '@tamis/scheduler-model/acl-token.js';
import { formatDuration } from '@tamis/scheduler-model/job-rules/findings.js';
import { instant, type Input } from '@tamis/scheduler-model/row-type.js';

/** The token fields that a client sets. Clients never choose the secret. */
export const tokenRequestShape = t.struct({
  AccessorID: t.string,
  Name: t.string,
  Type: t.string,
  Policies: t.list(t.string),
  Roles: t.any,
  Global: t.bool,
  ExpirationTime: instant,
  /** A string such as `1h30m`, or a number of ns. */
  ExpirationTTL: t.any,
});

export type TokenRequest = Input<typeof tokenRequestShape>;

/** Maximum number of policies per token. Prevents a token from slowing down each request with lookups. */
const maxPolicies = 64;

/**
 * Validates a client's request for a new token.
 *
 * @param now in ms since 1970.
 * @throws SchedulerError `bad-request`
 */
export function readTokenRequest(request: TokenRequest, now: number): AclTokenSpec {
  return { ...readContent(request), ...readExpiration(request, now) };
}

/**
 * Validates a change of a token. Its expiration cannot change: it must be sent as in responses, or empty.
 *
 * @throws SchedulerError `bad-request`
 */
export function readTokenChange(request: TokenRequest): AclTokenSpec {
  const { ExpirationTime, ExpirationTTL } = request;
  const ttl = readTtl(ExpirationTTL);
  const expirationTime = ExpirationTime === undefined ? null : formatTime(Date.parse(ExpirationTime));
  return { ...readContent(request), expirationTime, expirationTtl: ttl === 0n ? '' : formatDuration(ttl) };
}

function readContent(request: TokenRequest): Omit<AclTokenSpec, 'expirationTime' | 'expirationTtl'> {
  const { Name = '', Type = '', Policies = [], Roles, Global = false } = request;
  if (Name.length > maxTokenNameLength) refuse(`token name longer than ${maxTokenNameLength}`);
  if (Type !== clientType && Type !== managementType) {
    refuse(`token type must be client or management, found ${JSON.stringify(Type.slice(0, 40))}`);
  }
  if (Roles !== undefined && !(Array.isArray(Roles) && Roles.length === 0)) {
    refuse('roles are not supported: give the token its policies');
  }
  checkPolicies(Type, Policies);
  return { name: Name, type: Type, policies: Policies, global: Global };
}

/** Returns the expiration of a token with a TTL from its creation. @param created RFC 3339. */
export function endOfToken({ expirationTime, expirationTtl }: AclTokenSpec, created: string): string | null {
  const ttl = parseGoDuration(expirationTtl);
  return ttl === null || ttl === 0n
    ? expirationTime
    : formatTime(Date.parse(created) + Number(ttl / 1_000_000n));
}

/** Minimum and maximum lifetime of an expiring token, in ms. A shorter one is useless, a longer one practically unlimited. */
export interface TokenLifetime {
  readonly min: number;
  readonly max: number;
}

/**
 * Rejects an expiration of a new token that is too near or too far.
 *
 * @param now in ms since 1970.
 * @throws SchedulerError `bad-request`
 */
export function checkTokenLifetime(
  { expirationTime }: Pick<AclTokenSpec, 'expirationTime'>,
  now: number,
  { min, max }: TokenLifetime,
): void {
  if (expirationTime === null) return;
  const life = Date.parse(expirationTime) - now;
  const was = `in the future (was ${shortDuration(life)})`;
  if (life < min) refuse(`expiration time cannot be less than ${shortDuration(min)} ${was}`);
  if (life > max) refuse(`expiration time cannot be more than ${shortDuration(max)} ${was}`);
}

function shortDuration(milliseconds: number): string {
  return formatDuration(BigInt(Math.round(milliseconds)) * 1_000_000n);
}

function checkPolicies(type: string, policies: readonly string[]): void {
  if (type === managementType && policies.length > 0) {
    refuse('management token cannot be associated with policies: it may do everything');
  }
  if (type === clientType && policies.length === 0) refuse('client token missing policies');
  if (policies.length > maxPolicies) refuse(`token has more than ${maxPolicies} policies`);
  const odd = policies.find((name) => !policyName.test(name));
  if (odd !== undefined) refuse(`invalid policy name ${JSON.stringify(odd.slice(0, 130))}`);
}

type Expiration = Pick<AclTokenSpec, 'expirationTime' | 'expirationTtl'>;

/** The latest time in RFC 3339. */
const endOfTime = Date.UTC(9999, 11, 31, 23, 59, 59);

function readExpiration({ ExpirationTime, ExpirationTTL }: TokenRequest, now: number): Expiration {
  const ttl = readTtl(ExpirationTTL);
  if (ttl === 0n && ExpirationTime === undefined) return { expirationTime: null, expirationTtl: '' };
  if (ttl !== 0n && ExpirationTime !== undefined) {
    refuse('ExpirationTime and ExpirationTTL cannot both be given');
  }
  const end = ExpirationTime === undefined ? now + Number(ttl / 1_000_000n) : Date.parse(ExpirationTime);
  if (!(end > now && end <= endOfTime)) refuse('expiration time must be in the future');
  return { expirationTime: formatTime(end), expirationTtl: ttl === 0n ? '' : formatDuration(ttl) };
}

/** Returns the TTL in ns; 0 for none. */
function readTtl(given: unknown): bigint {
  if (given === undefined || given === '') return 0n;
  const ttl =
    typeof given === 'string'
      ? parseGoDuration(given)
      : (typeof given === 'number' && Number.isSafeInteger(given)) || typeof given === 'bigint'
        ? BigInt(given)
        : null;
  if (ttl === null) return refuse('ExpirationTTL: expected a duration such as "1h30m"');
  return ttl < 0n ? refuse('expiration time must be in the future') : ttl;
}

/** Formats a time as RFC 3339 with as many fractional digits as needed. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z');
}

function refuse(problem: string): never {
  throw badRequest(`token invalid: ${problem}`);
}
