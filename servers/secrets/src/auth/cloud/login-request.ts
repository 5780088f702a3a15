import {
  isGroupName,
  isGuid,
  parseResourceId,
  withProviders,
  type ResourceId,
} from '../../cloud/resource-id.js';
import type { SecretsError } from '../../base/errors.js';
import { badRequest } from '../../base/errors.js';
import { readFields, text, warnOfUnknown } from '../../fields/fields.js';
import { parseToken, type UnverifiedToken } from './unverified-token.js';

/** The machine that a caller claims to run on. A scale set takes precedence over a machine, and both over other resources. */
export type Machine =
  | { readonly kind: 'scale-set'; readonly name: string }
  | { readonly kind: 'virtual-machine'; readonly name: string }
  | { readonly kind: 'resource'; readonly id: ResourceId; readonly text: string }
  | { readonly kind: 'none' };

/** A well-formed login. Its contents are unverified. */
export interface LoginRequest {
  /** The role name as sent. */
  readonly role: string;
  readonly token: UnverifiedToken;
  /** Empty if not sent, like `group`. */
  readonly subscription: string;
  readonly group: string;
  readonly machine: Machine;
  readonly warnings: readonly string[];
}

const fields = {
  role: text,
  jwt: text,
  subscription_id: text,
  resource_group_name: text,
  vm_name: text,
  vmss_name: text,
  resource_id: text,
};

/** Maximum length of a token, in characters. A token with 200 groups has 12,000. Prevents decoding megabytes. */
const maxTokenLength = 32_768;
const machineName = /^[A-Za-z](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_])?$/;

/**
 * Reads the body of a login.
 *
 * @throws SecretsError `bad-request` that names the field. Ignored fields are not checked: if a scale set is named, the machine's
 * name may be anything.
 */
export function readLogin(body: Readonly<Record<string, unknown>>): LoginRequest {
  const { values, unknown } = readFields(fields, body);
  const token = readToken(values.jwt ?? '');
  const { role = '', subscription_id: subscription = '', resource_group_name: group = '' } = values;
  if (role === '') throw badRequest('field "role" is required');
  if (subscription !== '' && !isGuid(subscription))
    throw malformed('subscription_id', 'a subscription id (a GUID)');
  if (group !== '' && !isGroupName(group))
    throw malformed('resource_group_name', 'the name of a resource group');
  return { role, token, subscription, group, machine: readMachine(values), warnings: warnOfUnknown(unknown) };
}

function readToken(jwt: string): UnverifiedToken {
  if (jwt === '') throw badRequest('field "jwt" is required');
  const token = jwt.length > maxTokenLength ? null : parseToken(jwt);
  if (token === null) throw malformed('jwt', 'a signed JSON Web Token in its compact form');
  return token;
}

function readMachine(values: {
  readonly vm_name?: string;
  readonly vmss_name?: string;
  readonly resource_id?: string;
}): Machine {
  const { vmss_name: set = '', vm_name: machine = '', resource_id: resource = '' } = values;
  if (set !== '') {
    if (!machineName.test(set)) throw malformed('vmss_name', 'the name of a scale set');
    return { kind: 'scale-set', name: set };
  }
  if (machine !== '') {
    if (!machineName.test(machine)) throw malformed('vm_name', 'the name of a virtual machine');
    return { kind: 'virtual-machine', name: machine };
  }
  if (resource === '') return { kind: 'none' };
  const whole = withProviders(resource);
  const id = parseResourceId(whole);
  if (id === null) {
    const form = '/subscriptions/{guid}/resourceGroups/{group}/providers/{namespace}/{type}/{name}';
    throw malformed('resource_id', `a resource id of the form ${form}, with or without /providers`);
  }
  return { kind: 'resource', id, text: whole };
}

function malformed(field: string, form: string): SecretsError {
  return badRequest(`field "${field}" must be ${form}`);
}
