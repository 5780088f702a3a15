import { parseCidr } from '../../cidr.js';
import { SecretsError } from '../../errors.js';
import { foldName } from '../../fold.js';
import { constraint, count, duration, flag, list, readFields, text } from '../../fields/fields.js';
import type { TokenParameters } from '../method.js';

/** Which machines and principals may log in with a role. An empty list is no constraint. */
export interface Bounds {
  readonly principals: readonly string[];
  readonly groups: readonly string[];
  readonly locations: readonly string[];
  readonly subscriptions: readonly string[];
  readonly resourceGroups: readonly string[];
  readonly scaleSets: readonly string[];
}

/** A role as it is stored. Durations are in seconds. */
export interface Role {
  readonly bounds: Bounds;
  readonly token: TokenParameters;
  /** Seconds that a token of the cloud may have left at login; 0 for any. */
  readonly maxJwtExp: number;
  /** The old names that the role was written with: a read answers with them too. */
  readonly aliases: readonly Alias[];
}

/** The old names of token fields. */
export type Alias = (typeof aliasNames)[number];

const aliasNames = ['policies', 'ttl', 'max_ttl', 'period', 'num_uses'] as const;

const fields = {
  // Comes with the path; in the body it says nothing new.
  name: text,
  bound_service_principal_ids: constraint,
  bound_group_ids: constraint,
  bound_locations: constraint,
  bound_subscription_ids: constraint,
  bound_resource_groups: constraint,
  bound_scale_sets: constraint,
  token_ttl: duration,
  token_max_ttl: duration,
  token_explicit_max_ttl: duration,
  token_period: duration,
  token_policies: list,
  token_bound_cidrs: list,
  token_no_default_policy: flag,
  token_num_uses: count,
  token_type: text,
  policies: list,
  ttl: duration,
  max_ttl: duration,
  period: duration,
  num_uses: count,
  max_jwt_exp: count,
};

type Values = ReturnType<typeof readFields<typeof fields>>['values'];

const emptyRole: Role = {
  bounds: {
    principals: [],
    groups: [],
    locations: [],
    subscriptions: [],
    resourceGroups: [],
    scaleSets: [],
  },
  token: {
    policies: [],
    noDefaultPolicy: false,
    type: 'default',
    ttl: 0,
    maxTtl: 0,
    explicitMaxTtl: 0,
    period: 0,
    numUses: 0,
    boundCidrs: [],
  },
  maxJwtExp: 0,
  aliases: [],
};

const nameForm = /^\w(?:[\w.-]*\w)?$/;
/** Stops names that no storage could keep as a path. */
const longestName = 256;

/** Whether a role can be called this: letters, digits and `_`, inside also `-` and `.`. */
export function isRoleName(name: string): boolean {
  return name.length <= longestName && nameForm.test(name);
}

/**
 * The role after a write: fields that were not sent keep their value, empty ones clear it.
 *
 * @param longestLease seconds that the system allows a token at most.
 * @throws SecretsError `bad-request` that names the field.
 */
export function mergeRole(
  stored: Role | null,
  body: Readonly<Record<string, unknown>>,
  longestLease: number,
): Role {
  const { values } = readFields(fields, body);
  const base = stored ?? emptyRole;
  const role: Role = {
    bounds: mergeBounds(base.bounds, values),
    token: mergeToken(base.token, values),
    maxJwtExp: values.max_jwt_exp ?? base.maxJwtExp,
    aliases: mergeAliases(base.aliases, values),
  };
  checkToken(role.token, longestLease);
  checkBounds(role.bounds);
  return role;
}

function mergeBounds(base: Bounds, values: Values): Bounds {
  return {
    principals: values.bound_service_principal_ids ?? base.principals,
    groups: values.bound_group_ids ?? base.groups,
    locations: values.bound_locations ?? base.locations,
    subscriptions: values.bound_subscription_ids ?? base.subscriptions,
    resourceGroups: values.bound_resource_groups ?? base.resourceGroups,
    scaleSets: values.bound_scale_sets ?? base.scaleSets,
  };
}

/** Where a field came under its new and its old name, the new one counts. */
function mergeToken(base: TokenParameters, values: Values): TokenParameters {
  return {
    policies: values.token_policies ?? foldPolicies(values.policies) ?? base.policies,
    noDefaultPolicy: values.token_no_default_policy ?? base.noDefaultPolicy,
    type: values.token_type === undefined ? base.type : readType(values.token_type),
    ttl: values.token_ttl ?? values.ttl ?? base.ttl,
    maxTtl: values.token_max_ttl ?? values.max_ttl ?? base.maxTtl,
    explicitMaxTtl: values.token_explicit_max_ttl ?? base.explicitMaxTtl,
    period: values.token_period ?? values.period ?? base.period,
    numUses: values.token_num_uses ?? values.num_uses ?? base.numUses,
    boundCidrs: values.token_bound_cidrs?.map(readCidr) ?? base.boundCidrs,
  };
}

function readType(type: string): TokenParameters['type'] {
  if (type === 'service' || type === 'batch' || type === 'default') return type;
  if (type === '') return 'default';
  throw new SecretsError('bad-request', 'field "token_type" must be service, batch or default');
}

/** A block of one address is kept without its mask. */
function readCidr(text: string): string {
  const cidr = parseCidr(text);
  if (cidr === null) {
    throw new SecretsError('bad-request', 'field "token_bound_cidrs" must hold IP addresses or CIDR blocks');
  }
  const whole = cidr.family === 'ipv4' ? 32 : 128;
  return cidr.prefix === whole ? cidr.network : `${cidr.network}/${String(cidr.prefix)}`;
}

/** The old name folds case, and `root` leaves nothing beside it. */
function foldPolicies(policies: readonly string[] | undefined): readonly string[] | undefined {
  if (policies === undefined) return undefined;
  const folded = [...new Set(policies.map(foldName))];
  return folded.includes('root') ? ['root'] : folded;
}

const newNames: Readonly<Record<Alias, keyof Values>> = {
  policies: 'token_policies',
  ttl: 'token_ttl',
  max_ttl: 'token_max_ttl',
  period: 'token_period',
  num_uses: 'token_num_uses',
};

/** A write under the old name keeps it, one under the new name alone drops it. */
function mergeAliases(base: readonly Alias[], values: Values): readonly Alias[] {
  return aliasNames.filter(
    (alias) => values[alias] !== undefined || (base.includes(alias) && values[newNames[alias]] === undefined),
  );
}

function checkToken(token: TokenParameters, longestLease: number): void {
  if (token.type === 'batch' && token.period !== 0) {
    throw new SecretsError(
      'bad-request',
      'token_type batch excludes token_period: batch tokens are not renewed',
    );
  }
  if (token.type === 'batch' && token.numUses !== 0) {
    throw new SecretsError(
      'bad-request',
      'token_type batch excludes token_num_uses: nobody counts batch tokens',
    );
  }
  if (token.ttl > 0 && token.maxTtl > 0 && token.ttl > token.maxTtl) {
    throw new SecretsError('bad-request', 'token_ttl must not be greater than token_max_ttl');
  }
  if (token.period > longestLease) {
    const most = `the longest lease of the server, ${String(longestLease)} seconds`;
    throw new SecretsError('bad-request', `token_period must not be greater than ${most}`);
  }
}

function checkBounds(bounds: Bounds): void {
  if (Object.values(bounds).every((items: readonly string[]) => items.length === 0)) {
    throw new SecretsError('bad-request', 'a role needs at least one entry in one of its bound_* fields');
  }
  if (letsAnybodyIn(bounds)) {
    throw new SecretsError(
      'bad-request',
      'a role whose only constraints are "*" lets every identity of the tenant in: bind something else too',
    );
  }
}

/** `*` means everybody only where it stands alone. */
export function isWildcard(items: readonly string[]): boolean {
  return items.length === 1 && items[0] === '*';
}

/** Whether any identity of the tenant would pass. Principals and groups both open is refused with other constraints too. */
export function letsAnybodyIn(bounds: Bounds): boolean {
  const { principals, groups, ...others } = bounds;
  if (isWildcard(principals) && isWildcard(groups)) return true;
  const binds = [principals, groups].some((items) => items.length > 0 && !isWildcard(items));
  return !binds && Object.values(others).every((items: readonly string[]) => items.length === 0);
}

/** Whether the role asks where its callers run, which the cloud has to confirm. */
export function bindsResources(bounds: Bounds): boolean {
  const { locations, subscriptions, resourceGroups, scaleSets } = bounds;
  return [locations, subscriptions, resourceGroups, scaleSets].some((items) => items.length > 0);
}

/** What a read of the role answers. */
export function roleData({ bounds, token, maxJwtExp, aliases }: Role): Readonly<Record<string, unknown>> {
  const old: Readonly<Record<Alias, unknown>> = {
    policies: token.policies,
    ttl: token.ttl,
    max_ttl: token.maxTtl,
    period: token.period,
    num_uses: token.numUses,
  };
  return {
    bound_service_principal_ids: bounds.principals,
    bound_group_ids: bounds.groups,
    bound_locations: bounds.locations,
    bound_subscription_ids: bounds.subscriptions,
    bound_resource_groups: bounds.resourceGroups,
    bound_scale_sets: bounds.scaleSets,
    token_bound_cidrs: token.boundCidrs,
    token_explicit_max_ttl: token.explicitMaxTtl,
    token_max_ttl: token.maxTtl,
    token_no_default_policy: token.noDefaultPolicy,
    token_num_uses: token.numUses,
    token_period: token.period,
    token_policies: token.policies,
    token_ttl: token.ttl,
    token_type: token.type,
    max_jwt_exp: maxJwtExp,
    ...Object.fromEntries(aliases.map((alias) => [alias, old[alias]])),
  };
}
