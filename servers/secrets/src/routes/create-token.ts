import type { EndpointResult } from '../api/endpoint-result.js';
import type { Call } from '../api/endpoint-table.js';
import { badRequest, SecretsError } from '../base/errors.js';
import { count, duration, flag, list, readFields, text, type FieldValues } from '../fields/fields.js';
import type { PolicyStore } from '../policies/policy-store.js';
import { familyOf, isRoot, type Token } from '../tokens/token-entry.js';
import { normalisePolicies } from '../tokens/token-policies.js';
import type { NewToken, TokenStore } from '../tokens/token-store.js';
import { authBlock } from '../tokens/token-view.js';

const fields = {
  id: text,
  policies: list,
  no_default_policy: flag,
  no_parent: flag,
  renewable: flag,
  ttl: duration,
  explicit_max_ttl: duration,
  period: duration,
  num_uses: count,
  display_name: text,
  type: text,
};

type Values = FieldValues<typeof fields>['values'];

export interface CreateTokenOptions {
  readonly tokens: Pick<TokenStore, 'create' | 'takeBack'>;
  readonly policies: Pick<PolicyStore, 'read'>;
}

/** Creates a token with at most the rights of its parent. Unless it is an orphan, it ends when its parent ends. */
export async function createToken(
  { tokens, policies }: CreateTokenOptions,
  { body, caller, request }: Call,
  isOrphan = false,
): Promise<EndpointResult> {
  const parent = checkParent(caller);
  const { meta, ...rest } = body;
  const { values, unknown } = readFields(fields, rest);
  if (!isRoot(parent.entry)) refuseRootFields(values);
  const requested = requestedToken(isOrphan ? { ...values, no_parent: true } : values, parent);
  const missing = await missingAmong(requested.policies, policies);
  const grant = await tokens.create({
    ...requested,
    metadata: readMetadata(meta),
    path: request.path,
  });
  const ignored = unknown.length === 0 ? [] : [`these parameters are not known: ${unknown.join(', ')}`];
  return {
    kind: 'auth',
    auth: authBlock(grant.token, grant.seconds),
    warnings: [...grant.warnings, ...ignored, ...missing],
    undo: () => tokens.takeBack(grant.token),
  };
}

/** Maximum number of names in a warning. Prevents warnings from growing with the request. */
const maxNamed = 20;

/** Returns the policies that do not exist. They may be created later, and allow nothing until then. */
async function missingAmong(
  names: readonly string[],
  policies: Pick<PolicyStore, 'read'>,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const name of names) if ((await policies.read(name)) === null) missing.push(name.slice(0, 128));
  if (missing.length === 0) return [];
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : '';
  return [`these policies do not exist: ${missing.slice(0, maxNamed).join(', ')}${more}`];
}

/** Refuses a parent with limited uses, because it could not revoke its children after its last use. */
function checkParent(caller: Token | null): Token {
  if (caller === null) throw new SecretsError('permission-denied', 'permission denied');
  if (caller.entry.type === 'batch') throw badRequest('batch tokens cannot make tokens');
  if (caller.entry.numUses > 0) throw badRequest('a token with a limited number of uses cannot make tokens');
  return caller;
}

function refuseRootFields({ id, no_parent, period }: Values): void {
  if (id !== undefined || no_parent === true || (period ?? 0) > 0) {
    throw new SecretsError(
      'permission-denied',
      'permission denied',
      'id, no_parent and period are for root alone',
    );
  }
}

function requestedToken(values: Values, parent: Token): Omit<NewToken, 'metadata' | 'path'> {
  const { type = 'service', id = null, num_uses = 0, period = 0 } = values;
  const policies = policiesOf(values, parent);
  if (type !== 'service' && type !== 'batch') throw badRequest('field "type" must be "service" or "batch"');
  if (type === 'batch' && (num_uses > 0 || period > 0 || id !== null)) {
    throw badRequest('batch tokens have no id, num_uses or period of their own');
  }
  if (id !== null && !/^[\w-]{8,128}$/.test(id)) {
    throw badRequest('field "id" must be 8 to 128 letters, digits, _ or -');
  }
  const name = (values.display_name ?? '').replace(/[^\w.-]/g, '-').slice(0, 128);
  return {
    terms: {
      policies: [],
      noDefaultPolicy: values.no_default_policy ?? false,
      type,
      ttl: values.ttl ?? 0,
      maxTtl: 0,
      explicitMaxTtl: values.explicit_max_ttl ?? 0,
      period,
      numUses: num_uses,
      boundCidrs: parent.entry.boundCidrs,
    },
    policies,
    leftOut: leftOutOf(policies, parent),
    displayName: name === '' ? 'token' : `token-${name}`,
    role: '',
    // A token that a workload creates also counts for the identity of the workload.
    identity: parent.entry.identity ?? '',
    family: familyOf(parent.entry),
    parent: values.no_parent === true ? null : parent,
    renewable: values.renewable ?? true,
    id,
  };
}

/** Returns the requested policies; by default those of the parent. Only a root token may grant policies that it does not have. */
function policiesOf({ policies, no_default_policy }: Values, { entry }: Token): readonly string[] {
  const requested = policies === undefined || policies.length === 0 ? entry.policies : policies;
  const names = normalisePolicies(requested);
  if (!isRoot(entry) && names.some((name) => !entry.policies.includes(name))) {
    throw badRequest('a token can hand on only policies that it has itself');
  }
  if (names.includes('root')) return ['root'];
  const mayHaveDefault = isRoot(entry) || entry.policies.includes('default');
  return no_default_policy === true || !mayHaveDefault ? names : normalisePolicies([...names, 'default']);
}

/**
 * Returns the policies of the parent that the child lacks, see `TokenEntry`. For children of a root token, only their own
 * policies matter.
 */
function leftOutOf(policies: readonly string[], { entry }: Token): readonly (readonly string[])[] {
  if (isRoot(entry)) return [];
  const own = entry.policies.filter((name) => !policies.includes(name));
  return [...(own.length === 0 ? [] : [own]), ...(entry.leftOut ?? [])];
}

/** Maximum number of metadata entries; then their maximum total size in bytes. Prevents tokens from being used as storage. */
const maxMetadata = 64;
const maxMetadataLength = 4_096;

function readMetadata(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : null;
  const texts = entries?.filter((entry): entry is [string, string] => typeof entry[1] === 'string') ?? [];
  const length = texts.flat().reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  const fits = texts.length <= maxMetadata && length <= maxMetadataLength;
  if (entries === null || texts.length !== entries.length || !fits) {
    throw badRequest(
      `field "meta" must be an object of at most ${maxMetadata} strings, ${maxMetadataLength} bytes with their names`,
    );
  }
  return Object.fromEntries(texts);
}
