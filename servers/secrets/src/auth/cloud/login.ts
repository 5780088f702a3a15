import { isInCidrs } from '../../base/cidr.js';
import { CloudError } from '../../cloud/cloud-error.js';
import type { Clock } from '../../base/clock.js';
import { badRequest, SecretsError } from '../../base/errors.js';
import { foldName } from '../../base/fold.js';
import type { Identity, Login, MethodCall } from '../method.js';
import { isRoleName } from '../role-name.js';
import { checkIdentity, checkPlace, isNamedByToken } from './bounds.js';
import { type Claims, type Refusal, own } from './claims.js';
import { checkInstance } from './instance-check.js';
import { readLogin, type LoginRequest, type Machine } from './login-request.js';
import type { Provider } from './provider.js';
import type { Repository } from './repository.js';
import { bindsResources, type Role } from './role.js';
import { verifyToken } from './verify.js';
import { cutText, redactPath } from '../../audit/redacted-path.js';

export interface LoginOptions {
  readonly repository: Pick<Repository, 'role'>;
  /** @throws SecretsError `bad-request` while nothing is configured. */
  readonly provider: () => Promise<Provider>;
  readonly clock: Clock;
  /**
   * Timeout for one login with all its requests and delays, in ms. Prevents unauthenticated callers from holding connections
   * while the cloud is slow.
   */
  readonly deadline: number;
}

/**
 * Logs a caller in. Checks form, role, address, token, claims, place and cloud in this order, so that only callers who have
 * passed the cheap checks cause the expensive ones.
 *
 * @throws SecretsError `bad-request` if the login is malformed or lacks what the role requires; `permission-denied`, with the
 * same message, for every other refusal; `cloud-unreachable` if the cloud cannot be queried.
 */
export async function logIn({ body, request }: MethodCall, options: LoginOptions): Promise<Login> {
  const login = readLogin(body);
  try {
    return await proceed(login, request, options);
  } catch (error) {
    if (!(error instanceof SecretsError) || error.reason === null) throw error;
    const details = { ...describeLogin(login), ...error.details };
    throw new SecretsError(error.code, error.message, error.reason, details);
  }
}

async function proceed(
  login: LoginRequest,
  request: MethodCall['request'],
  options: LoginOptions,
): Promise<Login> {
  const provider = await options.provider();
  const role = await loadRole(login, options.repository);
  checkPeer(request.peer, role);
  return withDeadline(options, request.signal, async (signal) => {
    const claims = await verify(login, role, provider, options.clock, signal);
    permit(checkIdentity(role.bounds, claims));
    const isConfirmed = await confirm(login, claims, role, provider, signal);
    return { identity: identityOf(login, claims, role, isConfirmed), warnings: login.warnings };
  });
}

async function loadRole(login: LoginRequest, repository: LoginOptions['repository']): Promise<Role> {
  const role = isRoleName(login.role) ? await repository.role(login.role) : null;
  if (role === null) throw denied({ refused: 'the role does not exist' });
  return role;
}

function checkPeer(peer: string, { token }: Role): void {
  if (token.boundCidrs.length > 0 && !isInCidrs(token.boundCidrs, peer)) {
    throw denied({
      refused: 'the address of the caller is not bound to the role',
      expected: token.boundCidrs.join(', '),
      found: peer,
    });
  }
}

async function verify(
  login: LoginRequest,
  role: Role,
  { issuer, config }: Provider,
  clock: Clock,
  signal: AbortSignal,
): Promise<Claims> {
  const verified = await verifyToken(
    login.token,
    { issuer, clock, audience: config.resource, tenant: config.tenantId, maxJwtExp: role.maxJwtExp },
    signal,
  );
  if ('refused' in verified) throw denied(verified);
  return verified;
}

/**
 * Confirms the machine of a caller with the cloud. Resolves to false if the role does not check machines, so that the caller's
 * statements are unconfirmed.
 */
async function confirm(
  login: LoginRequest,
  claims: Claims,
  { bounds }: Role,
  { resources }: Provider,
  signal: AbortSignal,
): Promise<boolean> {
  if (!bindsResources(bounds)) return false;
  if (login.subscription === '' || login.group === '') {
    throw badRequest('this role needs subscription_id and resource_group_name');
  }
  permit(checkPlace(login, claims, bounds));
  permit(await checkInstance(login, claims, bounds, resources, signal));
  return true;
}

/**
 * Returns the identity of a caller, with metadata for its token. Policies rely on metadata, so the machine is included only if
 * the cloud or the signed token confirms it.
 */
function identityOf(login: LoginRequest, claims: Claims, role: Role, isConfirmed: boolean): Identity {
  const isProven = isConfirmed || isNamedByToken(login, claims);
  const place: Readonly<Record<string, string>> = isProven
    ? {
        subscription_id: login.subscription,
        resource_group_name: login.group,
        ...machineFields(login.machine),
      }
    : { subscription_id: '', resource_group_name: '' };
  const application = claims.applicationId === '' ? {} : { app_id: claims.applicationId };
  return {
    alias: claims.objectId,
    role: foldName(login.role),
    metadata: { role: login.role, ...place, ...application },
    token: role.token,
  };
}

/** Runs the part of a login that queries the cloud. Rejects when the caller disconnects or the deadline passes. */
async function withDeadline<Value>(
  { clock, deadline }: LoginOptions,
  caller: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const cancel = clock.after(deadline, abort);
  caller.addEventListener('abort', abort, { once: true });
  if (caller.aborted) abort();
  try {
    return await run(controller.signal);
  } catch (error) {
    throw error instanceof CloudError ? toSecretsError(error) : error;
  } finally {
    cancel();
    caller.removeEventListener('abort', abort);
  }
}

/** Converts an error of the cloud to an error that refuses the login without blaming the caller. */
export function toSecretsError(error: CloudError): SecretsError {
  if (error.code === 'not-supported') {
    return new SecretsError('not-supported', 'not supported in this edition', error.message);
  }
  return new SecretsError(
    'cloud-unreachable',
    'the cloud could not be reached: try again later',
    error.message,
  );
}

function permit(refusal: Refusal | null): void {
  if (refusal !== null) throw denied(refusal);
}

/** Returns the same error for all refusals, so that callers learn nothing about roles, machines or keys. */
function denied(refusal: Refusal): SecretsError {
  return new SecretsError(
    'permission-denied',
    'permission denied',
    refusal.refused,
    describeRefusal(refusal),
  );
}

type Details = Readonly<Record<string, string>>;

/**
 * Returns the log fields of a login: role, IDs in the token, and machine. They are logged even if unverified, so that operators
 * can find failed logins.
 */
function describeLogin({ role, token, subscription, group, machine }: LoginRequest): Details {
  return describeOf({
    role,
    oid: own(token.claims, 'oid'),
    appid: own(token.claims, 'appid'),
    subscription_id: subscription,
    resource_group_name: group,
    ...machineFields(machine),
  });
}

/** Returns both values of a failed comparison, if there was one. */
function describeRefusal({ expected, found }: Refusal): Details {
  return describeOf({ expected, found });
}

/** Returns the field of a login that names its machine. */
function machineFields(machine: Machine): Details {
  switch (machine.kind) {
    case 'scale-set':
      return { vmss_name: machine.name };
    case 'virtual-machine':
      return { vm_name: machine.name };
    case 'resource':
      return { resource_id: machine.text };
    case 'none':
      return {};
  }
}

/** Returns strings and string lists, truncated and without anything that looks like a token. Omits other values. */
function describeOf(fields: Readonly<Record<string, unknown>>): Details {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const items = Array.isArray(value) ? (value as readonly unknown[]).slice(0, maxItems) : [value];
      const text = items.filter((item) => typeof item === 'string').join(', ');
      return text === '' ? [] : [[name, describe(text)]];
    }),
  );
}

/** Maximum number of list items that are logged. */
const maxItems = 10;

function describe(text: string): string {
  const redacted = redactPath(text, { secrets: [], isKnown: true, hide: () => '(hidden)' });
  const cut = cutText(redacted);
  return cut === null ? redacted : `${cut}...`;
}
