import { badRequest } from '../../base/errors.js';
import {
  constraint,
  count,
  isFieldName,
  readFields,
  text,
  unknownFields,
  warnOfUnknown,
} from '../../fields/fields.js';
import { storedObject } from '../../fields/stored-object.js';
import { mergeTokens, roleTokenData, tokenFields, type RoleTokens } from '../role-tokens.js';

const boundFields = storedObject({
  principals: ['bound_service_principal_ids', constraint, []],
  groups: ['bound_group_ids', constraint, []],
  locations: ['bound_locations', constraint, []],
  subscriptions: ['bound_subscription_ids', constraint, []],
  resourceGroups: ['bound_resource_groups', constraint, []],
  scaleSets: ['bound_scale_sets', constraint, []],
});

/** Bounds of a role: which machines and principals may log in with it. An empty list is no constraint. */
export type Bounds = typeof boundFields.initial;

/** A role as it is stored. */
export interface Role extends RoleTokens {
  readonly bounds: Bounds;
  /** Maximum remaining lifetime of a cloud token at login, in seconds; 0 for no limit. */
  readonly maxJwtExp: number;
}

const fields = {
  // Ignored: the path contains the name.
  name: text,
  ...boundFields.fields,
  ...tokenFields,
  max_jwt_exp: count,
};

/**
 * Returns the role after a write. Fields that were not sent keep their value, empty ones clear it.
 *
 * @param maxLeaseSeconds maximum token lifetime of the system, in seconds.
 * @throws SecretsError `bad-request` that names the field.
 */
export function mergeRole(
  stored: Role | null,
  body: Readonly<Record<string, unknown>>,
  maxLeaseSeconds: number,
): Role {
  const { values } = readFields(fields, body);
  const role: Role = {
    bounds: boundFields.merge(stored?.bounds ?? boundFields.initial, values),
    ...mergeTokens(stored, values, maxLeaseSeconds),
    maxJwtExp: values.max_jwt_exp ?? stored?.maxJwtExp ?? 0,
  };
  checkBounds(role.bounds, body);
  return role;
}

/** Returns the unknown fields of a role body. */
export const unknownInRole = (body: Readonly<Record<string, unknown>>): readonly string[] =>
  unknownFields(fields, body);

function checkBounds(bounds: Bounds, body: Readonly<Record<string, unknown>>): void {
  if (Object.values(bounds).every((items: readonly string[]) => items.length === 0)) {
    const needed = 'a role needs at least one entry in one of its bound_* fields';
    throw badRequest([needed, ...warnOfUnknown(unknownInRole(body).filter(isFieldName))].join('; '));
  }
  if (letsAnybodyIn(bounds)) {
    throw badRequest(
      'a role whose only constraints are "*" lets every identity of the tenant in: bind something else too',
    );
  }
}

/** Whether a list allows any value: `*` has this meaning only as the only element. */
export function isWildcard(items: readonly string[]): boolean {
  return items.length === 1 && items[0] === '*';
}

/**
 * Whether any identity of the tenant passes. True for a role whose principals and groups are both wildcards, even if it has other
 * bounds.
 */
export function letsAnybodyIn(bounds: Bounds): boolean {
  const { principals, groups, ...others } = bounds;
  if (isWildcard(principals) && isWildcard(groups)) return true;
  const binds = [principals, groups].some((items) => items.length > 0 && !isWildcard(items));
  return !binds && Object.values(others).every((items: readonly string[]) => items.length === 0);
}

/** Whether the role restricts where callers run. If so, the cloud must confirm the place. */
export function bindsResources(bounds: Bounds): boolean {
  const { locations, subscriptions, resourceGroups, scaleSets } = bounds;
  return [locations, subscriptions, resourceGroups, scaleSets].some((items) => items.length > 0);
}

/** Returns the fields of a role for a read. */
export function roleData(role: Role): Readonly<Record<string, unknown>> {
  return { ...boundFields.data(role.bounds), max_jwt_exp: role.maxJwtExp, ...roleTokenData(role) };
}
