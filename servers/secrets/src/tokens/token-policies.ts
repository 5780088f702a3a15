import { SecretsError } from '../base/errors.js';
import { foldName } from '../base/fold.js';
import type { TokenParameters } from './token-parameters.js';

/**
 * The policies that a token gets: lower-cased, trimmed, each once, sorted, with `default` unless it is not wanted.
 *
 * @throws SecretsError `bad-request` for `root`, which no role may hand out.
 */
export function tokenPolicies({
  policies,
  noDefaultPolicy,
}: Pick<TokenParameters, 'policies' | 'noDefaultPolicy'>): readonly string[] {
  const names = normalisePolicies(noDefaultPolicy ? policies : [...policies, 'default']);
  if (names.includes('root')) {
    throw new SecretsError('bad-request', 'auth methods cannot create root tokens');
  }
  return names;
}

/** Names of policies as they are compared: lower-cased, trimmed, each once, sorted. */
export function normalisePolicies(policies: readonly string[]): readonly string[] {
  const names = policies.map((name) => foldName(name.trim())).filter((name) => name !== '');
  return [...new Set(names)].sort();
}
