import { parseCidr } from '../base/cidr.js';
import { badRequest } from '../base/errors.js';
import { count, duration, flag, list, text, type Field, type FieldValues } from '../fields/fields.js';
import { storedObject } from '../fields/stored-object.js';
import { foldName } from '../base/fold.js';
import type { TokenParameters } from '../tokens/token-parameters.js';
import { normalisePolicies } from '../tokens/token-policies.js';

/** The token settings of a role of any method. */
export interface RoleTokens {
  readonly token: TokenParameters;
  /** The old names of fields under which the role was written. Reads return them too. */
  readonly aliases: readonly Alias[];
}

/** The old names of token fields. */
type Alias = (typeof aliasNames)[number];

const aliasNames = ['policies', 'ttl', 'max_ttl', 'period', 'num_uses'] as const;

const tokenType: Field<TokenParameters['type']> = {
  expects: 'service, batch or default',
  read(value) {
    const type = text.read(value);
    if (type === '') return 'default';
    return type === 'service' || type === 'batch' || type === 'default' ? type : null;
  },
};

const parameters = storedObject({
  policies: ['token_policies', list, []],
  noDefaultPolicy: ['token_no_default_policy', flag, false],
  type: ['token_type', tokenType, 'default'],
  ttl: ['token_ttl', duration, 0],
  maxTtl: ['token_max_ttl', duration, 0],
  explicitMaxTtl: ['token_explicit_max_ttl', duration, 0],
  period: ['token_period', duration, 0],
  numUses: ['token_num_uses', count, 0],
  boundCidrs: ['token_bound_cidrs', list, []],
});

/** The token fields of a role write, under their new and old names. */
export const tokenFields = {
  ...parameters.fields,
  policies: list,
  ttl: duration,
  max_ttl: duration,
  period: duration,
  num_uses: count,
};

type Values = FieldValues<typeof tokenFields>['values'];

/**
 * Returns the settings after a write. Fields that were not sent keep their value, empty ones clear it.
 *
 * @param stored null for a new role.
 * @param maxLeaseSeconds maximum token lifetime of the system, in seconds.
 * @throws SecretsError `bad-request` that names the field.
 */
export function mergeTokens(stored: RoleTokens | null, values: Values, maxLeaseSeconds: number): RoleTokens {
  const { token: base, aliases } = stored ?? { token: parameters.initial, aliases: [] };
  const token = mergeParameters(base, values);
  checkParameters(token, maxLeaseSeconds);
  return { token, aliases: mergeAliases(aliases, values) };
}

/** Returns a warning if the server will shorten a lifetime. */
export function tokenWarnings({ token }: RoleTokens, maxLeaseSeconds: number): readonly string[] {
  if (token.maxTtl <= maxLeaseSeconds) return [];
  return [
    `token_max_ttl is greater than the maximum lease of the server: tokens live at most ${String(maxLeaseSeconds)} seconds`,
  ];
}

/** Merges the parameters. If a field was sent under both its new and its old name, the new name wins. */
function mergeParameters(base: TokenParameters, values: Values): TokenParameters {
  const old = { ...values, policies: foldPolicies(values.policies) };
  const renamed = Object.fromEntries(aliasNames.map((alias) => [`token_${alias}`, old[alias]]));
  const merged = parameters.merge(base, { ...renamed, ...values });
  return { ...merged, boundCidrs: values.token_bound_cidrs?.map(readCidr) ?? base.boundCidrs };
}

/** Reads a CIDR block. A single address is stored without its mask. */
function readCidr(block: string): string {
  const cidr = parseCidr(block);
  if (cidr === null) throw badRequest('field "token_bound_cidrs" must contain IP addresses or CIDR blocks');
  const whole = cidr.family === 'ipv4' ? 32 : 128;
  return cidr.prefix === whole ? cidr.network : `${cidr.network}/${String(cidr.prefix)}`;
}

/** Converts policies to lower case, as the old field name does. */
function foldPolicies(policies: readonly string[] | undefined): readonly string[] | undefined {
  return policies === undefined ? undefined : [...new Set(policies.map(foldName))];
}

/**
 * Returns the old names to return in reads. A write that uses the old name keeps it; one that uses only the new name drops it.
 */
function mergeAliases(base: readonly Alias[], values: Values): readonly Alias[] {
  return aliasNames.filter(
    (alias) =>
      values[alias] !== undefined || (base.includes(alias) && values[`token_${alias}`] === undefined),
  );
}

function checkParameters(token: TokenParameters, maxLeaseSeconds: number): void {
  if (normalisePolicies(token.policies).includes('root')) {
    throw badRequest('field "token_policies" must not contain root: auth methods cannot create root tokens');
  }
  if (token.type === 'batch' && token.period !== 0) {
    throw badRequest('token_type batch excludes token_period: batch tokens are not renewed');
  }
  if (token.type === 'batch' && token.numUses !== 0) {
    throw badRequest('token_type batch excludes token_num_uses: uses of batch tokens are not counted');
  }
  if (token.ttl > 0 && token.maxTtl > 0 && token.ttl > token.maxTtl) {
    throw badRequest('token_ttl must not be greater than token_max_ttl');
  }
  if (token.period > maxLeaseSeconds) {
    const max = `the maximum lease of the server, ${String(maxLeaseSeconds)} seconds`;
    throw badRequest(`token_period must not be greater than ${max}`);
  }
}

/** Returns the token fields of a role for a read. */
export function roleTokenData({ token, aliases }: RoleTokens): Readonly<Record<string, unknown>> {
  const data = parameters.data(token);
  return { ...data, ...Object.fromEntries(aliases.map((alias) => [alias, data[`token_${alias}`]])) };
}
