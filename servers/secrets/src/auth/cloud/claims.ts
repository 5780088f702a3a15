import { isGuid, parseResourceId, type ResourceId } from '../../cloud/resource-id.js';

/** The claims of a verified token that describe its caller. */
export interface Claims {
  /** Object ID of the principal. */
  readonly objectId: string;
  /** Client ID of the application; empty if the token has none. */
  readonly applicationId: string;
  readonly groups: readonly string[];
  /** Whether the token names a resource, even with a malformed ID. */
  readonly namesResource: boolean;
  /** Resources that the identity belongs to. Malformed IDs are omitted. */
  readonly resources: readonly ResourceId[];
}

/** The reason why a token is rejected, for the log, with both values of a failed comparison. */
export interface Refusal {
  readonly refused: string;
  readonly expected?: string;
  /** The value from the token, the request or the cloud, of any type and length. */
  readonly found?: unknown;
}

/** The expected claims, which are checked before the signature. */
export interface Expectation {
  readonly audience: string;
  readonly tenant: string;
  /** Current time, in ms since 1970. */
  readonly now: number;
  /** Maximum remaining lifetime of a token, in seconds; 0 for no limit. */
  readonly maxJwtExp: number;
}

/** Maximum length of an ID, in characters. Prevents huge IDs in names and logs. */
const maxIdLength = 256;

/**
 * Checks the claims before keys are requested from the issuer, so that invalid tokens cause no request. There is no leeway: the
 * cloud sets `nbf` minutes into the past.
 *
 * @returns null if the token passes.
 */
export function checkUnverified(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
  expected: Expectation,
): Refusal | null {
  const seconds = expected.now / 1_000;
  const { audience } = expected;
  const algorithm = own(header, 'alg');
  if (algorithm !== 'RS256') return { refused: 'the token is not signed with RS256', found: algorithm };
  if (own(header, 'crit') !== undefined) return { refused: 'the token has critical extensions' };
  const found = own(claims, 'aud');
  if (!hasAudience(found, audience))
    return { refused: 'the token is for another audience', expected: audience, found };
  return checkTimes(claims, seconds, expected.maxJwtExp) ?? checkTenant(claims, expected.tenant);
}

/** Whether the audience matches exactly, including a slash at the end. */
function hasAudience(audience: unknown, expected: string): boolean {
  return Array.isArray(audience) ? audience.includes(expected) : audience === expected;
}

function checkTimes(
  claims: Readonly<Record<string, unknown>>,
  now: number,
  maxJwtExp: number,
): Refusal | null {
  const expires = own(claims, 'exp');
  const notBefore = own(claims, 'nbf');
  if (!isFiniteNumber(expires)) return { refused: 'the token has no exp' };
  if (expires <= now) return { refused: 'the token has expired', found: `exp ${expires}` };
  if (maxJwtExp > 0 && expires - now > maxJwtExp) {
    return {
      refused: 'the token is valid for longer than max_jwt_exp of the role',
      expected: `${maxJwtExp} s`,
      found: `${Math.ceil(expires - now)} s`,
    };
  }
  if (notBefore !== undefined && !isFiniteNumber(notBefore))
    return { refused: 'the nbf of the token is no number' };
  return notBefore !== undefined && notBefore > now
    ? { refused: 'the token is not valid yet', found: `nbf ${notBefore}` }
    : null;
}

/**
 * Checks the tenant ID. If the tenant is configured by its domain, which no claim contains, only the issuer distinguishes
 * tenants.
 */
function checkTenant(claims: Readonly<Record<string, unknown>>, tenant: string): Refusal | null {
  const tid = own(claims, 'tid');
  if (tid === undefined || !isGuid(tenant)) return null;
  if (typeof tid === 'string' && tid.toLowerCase() === tenant.toLowerCase()) return null;
  return { refused: 'the token is of another tenant', expected: tenant, found: tid };
}

/** Reads the claims of a token with a valid signature. */
export function readClaims(claims: Readonly<Record<string, unknown>>): Claims | Refusal {
  const objectId = own(claims, 'oid');
  if (typeof objectId !== 'string' || objectId === '' || objectId.length > maxIdLength) {
    return { refused: 'the token has no oid' };
  }
  const sent = own(claims, 'groups');
  const groups = sent === undefined ? [] : sent;
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) {
    return { refused: 'the groups of the token are no list of strings' };
  }
  const applicationId = own(claims, 'appid');
  const ids = [own(claims, 'xms_az_rid'), own(claims, 'xms_mirid')].filter(
    (id) => id !== undefined && id !== '',
  );
  return {
    objectId,
    applicationId: isNonEmptyText(applicationId) && applicationId.length <= maxIdLength ? applicationId : '',
    groups,
    namesResource: ids.length > 0,
    resources: ids.filter(isNonEmptyText).flatMap((id) => parseResourceId(id) ?? []),
  };
}

/** Returns an own property; undefined if it is missing or inherited. */
export function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether a value is a finite number. JSON numbers can overflow to Infinity: such an `exp` would never pass. */
function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
