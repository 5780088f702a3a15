import type { TokenEntry } from '../tokens/token-entry.js';
import type { Capability } from './policy.js';

type Granted = readonly (Capability | 'root')[];

/** Evaluates lists of policies, such as a policy store. */
interface PolicyEvaluator {
  capabilities(policies: readonly string[], path: string): Promise<Granted>;
}

/**
 * Returns the capabilities of a token on a path. A token with fewer policies could have more capabilities, because a denial or a
 * more specific rule may be missing. So if a token lacks policies of its parent, only the capabilities that the parent's policies
 * also allow are returned.
 */
export async function tokenCapabilities(
  policies: PolicyEvaluator,
  { policies: own, leftOut = [] }: Pick<TokenEntry, 'policies' | 'leftOut'>,
  path: string,
): Promise<Granted> {
  let names = own;
  let cached: Granted = await policies.capabilities(names, path);
  for (const others of leftOut) {
    names = [...names, ...others];
    const above = await policies.capabilities(names, path);
    cached = cached.filter((capability) => above.includes(capability));
  }
  return cached.length === 0 ? ['deny'] : cached;
}
