import { badRequest } from '../base/errors.js';
import { foldName } from '../base/fold.js';
import type { TokenParameters } from './token-parameters.js';

/**
 * Returns the policies of a token: lower-cased, trimmed, unique, sorted, with `default` unless disabled.
 *
 * @throws SecretsError `bad-request` for `root`, which no role may grant.
 */
export function tokenPolicies({
  policies,
  noDefaultPolicy,
}: Pick<TokenParameters, 'policies' | 'noDefaultPolicy'>): readonly string[] {
  const names = normalisePolicies(noDefaultPolicy ? policies : [...policies, 'default']);
  if (names.includes('root')) throw badRequest('auth methods cannot create root tokens');
  return names;
}

/** Returns policy names in normal form: lower-cased, trimmed, unique, sorted. */
export function normalisePolicies(policies: readonly string[]): readonly string[] {
  const names = policies.map((name) => foldName(name.trim())).filter((name) => name !== '');
  return [...new Set(names)].sort();
}
