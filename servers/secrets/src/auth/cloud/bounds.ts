import { sameName, sameResource, segmentsOf, type ResourceId } from '../../cloud/resource-id.js';
import type { Claims, Refusal } from './claims.js';
import type { LoginRequest, Machine } from './login-request.js';
import { isWildcard, letsAnybodyIn, type Bounds } from './role.js';

const compute = 'Microsoft.Compute';

/** Returns why the verified identity may not use the role; null if it may. Does not check where the identity runs. */
export function checkIdentity(bounds: Bounds, claims: Claims): Refusal | null {
  if (letsAnybodyIn(bounds)) return { refused: 'the role would let every identity in' };
  if (!allows(bounds.principals, [claims.objectId]))
    return { refused: 'the principal is not bound to the role' };
  if (!allows(bounds.groups, claims.groups))
    return { refused: 'no group of the principal is bound to the role', found: claims.groups };
  return null;
}

function allows(bound: readonly string[], names: readonly string[]): boolean {
  return bound.length === 0 || isWildcard(bound) || names.some((name) => hasName(bound, name));
}

/** Whether a list contains a name, ignoring case. */
export function hasName(names: readonly string[], requested: string): boolean {
  return names.some((name) => sameName(name, requested));
}

/**
 * Whether the token names the resource of the request. IDs are compared part by part, including subscription and group: `web`
 * does not match `web-2`.
 */
export function isNamedByToken(request: LoginRequest, claims: Claims): boolean {
  const { machine, subscription, group } = request;
  const isHere = (id: ResourceId): boolean =>
    sameName(id.subscription, subscription) && sameName(id.group, group) && sameName(id.namespace, compute);
  switch (machine.kind) {
    case 'scale-set':
      return claims.resources.some((id) => isHere(id) && isInstanceOf(id, machine.name));
    case 'virtual-machine':
      return claims.resources.some(
        (id) => isHere(id) && isMachine(id) && sameName(id.names[0] ?? '', machine.name),
      );
    case 'resource':
      return claims.resources.some((id) => sameResource(id, machine.id)) && isResourceHere(request, machine);
    case 'none':
      return false;
  }
}

/**
 * Whether a machine belongs to a scale set. A token of a uniform set names the set itself. A token of a flexible set names the
 * machine: the name of the set, `_`, and a part without `_`.
 */
function isInstanceOf(id: ResourceId, set: string): boolean {
  const name = id.names[0] ?? '';
  if (sameName(id.types[0] ?? '', 'virtualMachineScaleSets')) return sameName(name, set);
  const split = name.lastIndexOf('_');
  return isMachine(id) && split > 0 && split < name.length - 1 && sameName(name.slice(0, split), set);
}

function isMachine(id: ResourceId): boolean {
  return id.types.length === 1 && sameName(id.types[0] ?? '', 'virtualMachines');
}

function isResourceHere(
  { subscription, group }: LoginRequest,
  { id }: Extract<Machine, { kind: 'resource' }>,
): boolean {
  return sameName(id.subscription, subscription) && sameName(id.group, group);
}

/**
 * Returns why the request contradicts the token or the role; null if it does not. Runs before any request to the cloud, so that a
 * token of one machine cannot cause requests about another.
 */
export function checkPlace(request: LoginRequest, claims: Claims, bounds: Bounds): Refusal | null {
  const { machine } = request;
  if (machine.kind === 'none') return { refused: 'the login names neither scale set, machine nor resource' };
  if (machine.kind === 'resource') {
    if (!isResourceHere(request, machine))
      return { refused: 'resource_id lies in another subscription or group' };
    // Tokens of some kinds of resources name no resource. If a token names a resource, it must be the requested one.
    if (claims.namesResource && !isNamedByToken(request, claims))
      return { refused: 'the token names another resource' };
    if (bounds.locations.length > 0)
      return { refused: 'the role binds locations, which a resource_id has not' };
  } else if (!isNamedByToken(request, claims)) {
    return {
      refused: 'the token names another machine, scale set, group or subscription, or none',
      found: claims.resources.map((id) => `/${segmentsOf(id).join('/')}`),
    };
  }
  return checkNames(request, bounds);
}

function checkNames({ machine, subscription }: LoginRequest, bounds: Bounds): Refusal | null {
  if (bounds.scaleSets.length > 0) {
    if (machine.kind !== 'scale-set')
      return { refused: 'the role binds scale sets, and the login names none' };
    if (!hasName(bounds.scaleSets, machine.name))
      return { refused: 'the scale set is not bound to the role' };
  }
  if (bounds.subscriptions.length > 0 && !hasName(bounds.subscriptions, subscription)) {
    return { refused: 'the subscription is not bound to the role' };
  }
  return null;
}

/** Removes blanks: the cloud displays a location as `West Europe`, but programs use `westeurope`. */
function withoutBlanks(location: string): string {
  return location.replace(/\s/g, '');
}

/**
 * Returns why the machine's location, as reported by the cloud, violates the role; null if it does not. An unknown location
 * matches no bound.
 */
export function checkLocation(location: string | null, bounds: Bounds): Refusal | null {
  if (bounds.locations.length === 0) return null;
  if (location !== null && hasName(bounds.locations.map(withoutBlanks), withoutBlanks(location))) return null;
  return {
    refused: 'the location is not bound to the role',
    expected: bounds.locations.join(', '),
    found: location ?? '',
  };
}
