import { CloudError } from '../../cloud/cloud-error.js';
import { isGroupName, sameName } from '../../cloud/resource-id.js';
import type { Resource, ResourceManager } from '../../cloud/resource-manager.js';
import { checkLocation, hasName } from './bounds.js';
import type { Claims, Refusal } from './claims.js';
import type { LoginRequest } from './login-request.js';
import type { Bounds } from './role.js';

/** Maximum number of identities and resource groups that one login looks up. Prevents hundreds of requests. */
const maxLookups = 20;

/**
 * Checks with the cloud whether the token's principal belongs to the machine of the login, and where the machine runs. The token
 * must be verified and match the request.
 *
 * @returns why the cloud does not confirm it; null if it does.
 * @throws CloudError if the cloud cannot be queried.
 */
export async function checkInstance(
  request: LoginRequest,
  claims: Claims,
  bounds: Bounds,
  cloud: ResourceManager,
  signal: AbortSignal,
): Promise<Refusal | null> {
  const resource = await nullIfDenied(requestFor(request, cloud, signal));
  if (resource === null)
    return { refused: 'the cloud does not know the machine or keeps it from this server' };
  if (resource.identity === null) return { refused: 'the machine has no identity' };
  const isInGroup = bounds.resourceGroups.length === 0 || hasName(bounds.resourceGroups, request.group);
  const isOwn = isInGroup && (await hasPrincipal(request, resource.identity, claims, cloud, signal));
  if (!isOwn && !(await hasApplication(request, claims, bounds, cloud, signal))) {
    return {
      refused: isInGroup
        ? 'the principal is no identity of the machine'
        : 'neither the machine nor the application is in a group that is bound to the role',
    };
  }
  return checkLocation(resource.location, bounds);
}

function requestFor(
  { machine, subscription, group }: LoginRequest,
  cloud: ResourceManager,
  signal: AbortSignal,
): Promise<Resource> {
  switch (machine.kind) {
    case 'scale-set':
      return cloud.scaleSet(subscription, group, machine.name, signal);
    case 'virtual-machine':
      return cloud.virtualMachine(subscription, group, machine.name, signal);
    case 'resource':
      return cloud.resource(machine.id, signal);
    case 'none':
      throw new CloudError('refused', 'no machine was named');
  }
}

async function hasPrincipal(
  { machine }: LoginRequest,
  { principals, unresolved }: NonNullable<Resource['identity']>,
  { objectId }: Claims,
  cloud: ResourceManager,
  signal: AbortSignal,
): Promise<boolean> {
  if (hasName(principals, objectId)) return true;
  // In all responses except those for flexible scale sets, assigned identities have principals.
  if (machine.kind !== 'scale-set') return false;
  for (const id of unresolved.slice(0, maxLookups)) {
    const principal = await nullIfDenied(cloud.identityPrincipal(id, signal));
    if (principal !== null && sameName(principal, objectId)) return true;
  }
  return false;
}

/**
 * Whether the token's application is an assigned identity in one of the role's resource groups; if the role has none, in the
 * group of the request. The machine itself may be in another group.
 */
async function hasApplication(
  { subscription, group }: LoginRequest,
  { applicationId }: Claims,
  { resourceGroups }: Bounds,
  cloud: ResourceManager,
  signal: AbortSignal,
): Promise<boolean> {
  if (applicationId === '') return false;
  const candidates = resourceGroups.length > 0 ? resourceGroups.filter(isGroupName) : [group];
  for (const candidate of candidates.slice(0, maxLookups)) {
    const found = await nullIfDenied(cloud.hasIdentity(subscription, candidate, applicationId, signal));
    if (found === true) return true;
  }
  return false;
}

/** Returns null if the cloud denies the request. Rejects on other failures. */
async function nullIfDenied<Value>(response: Promise<Value>): Promise<Value | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof CloudError && error.code === 'refused') return null;
    throw error;
  }
}
