import { badRequest, QuotingError } from '../base/errors.js';
import { foldName } from '../base/fold.js';
import { getJson, putJson, removeEntry } from '../storage/json-entry.js';
import type { Storage } from '../storage/storage.js';
import type { Token } from '../tokens/token-entry.js';
import { capabilitiesOn, canonicalPath } from './access.js';
import { notAPolicy, parsePolicy } from './parse-policy.js';
import { tokenCapabilities } from './token-capabilities.js';
import type { Capability, Policy, PolicyRule } from './policy.js';

/** The policies of the server, by name in lower case. `root` and `default` are built in. */
export type PolicyStore = ReturnType<typeof createPolicyStore>;

const prefix = 'sys/policy/';
/** Form of a policy name. Checked before case folding, which turns other characters into plain letters. */
const namePattern = /^[0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,126}[0-9A-Za-z_])?$/;

/** The policy `default`. Every token has it, unless its role excludes it. It allows operations on the token itself. */
const defaultText = `# What a token may do with itself.
path "auth/token/lookup-self" { capabilities = ["read", "update"] }
path "auth/token/renew-self" { capabilities = ["update"] }
path "auth/token/revoke-self" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }
`;

/**
 * Creates a policy store.
 *
 * @param aliases returns all names of a path, so that no name bypasses a policy.
 */
export function createPolicyStore(storage: Storage, aliases = canonicalPath) {
  /** Cache of policies; null for a missing one. There are few policies, and every request uses some of them. */
  const known = new Map<string, Policy | null>();
  let changes = 0;
  /** Maximum number of cached policies. Prevents tokens with invented policy names from filling memory. */
  const maxKnown = 10_000;

  async function load(name: string): Promise<Policy | null> {
    if (name === 'root') return { name, text: '', rules: [] };
    const text = (await getJson<string>(storage, prefix + name)) ?? (name === 'default' ? defaultText : null);
    return text === null ? null : { name, text, rules: parsePolicy(name, text) };
  }

  /** Null if there is no such policy. */
  async function read(name: string): Promise<Policy | null> {
    if (!namePattern.test(name)) return null;
    const lower = foldName(name);
    const cached = known.get(lower);
    if (cached !== undefined) return cached;
    const changesBefore = changes;
    const loaded = await load(lower);
    // A value that was read during a write may be outdated, so it is not cached.
    if (changes !== changesBefore) return loaded;
    if (known.size >= maxKnown) known.clear();
    known.set(lower, loaded);
    return loaded;
  }

  function forget(lower: string): void {
    changes += 1;
    known.delete(lower);
  }

  return {
    read,
    async list(): Promise<readonly string[]> {
      const stored = (await storage.list(prefix)).map((path) => path.slice(prefix.length));
      return [...new Set([...stored, 'default', 'root'])].sort();
    },
    /** Resolves with the rules that were written. @throws SecretsError `bad-request` */
    async write(name: string, text: string): Promise<readonly PolicyRule[]> {
      requireName(name);
      const lower = foldName(name);
      if (lower === 'root') throw badRequest('the policy root cannot be changed');
      const rules = parsePolicy(lower, text);
      requireNoTemplates(rules);
      await storage.write([putJson(prefix + lower, text)]);
      forget(lower);
      return rules;
    },
    /** @throws SecretsError `bad-request` for a built-in policy */
    async remove(name: string): Promise<void> {
      requireName(name);
      const lower = foldName(name);
      if (lower === 'root' || lower === 'default') throw badRequest(`the policy ${lower} cannot be removed`);
      await storage.write([removeEntry(prefix + lower)]);
      forget(lower);
    },
    /** Returns the capabilities that the given policies allow on a path. Policies that do not exist allow nothing. */
    async capabilities(policies: readonly string[], path: string): Promise<readonly (Capability | 'root')[]> {
      if (policies.includes('root')) return ['root'];
      const found = await Promise.all(policies.map(read));
      return capabilitiesOn(
        path,
        found.flatMap((policy) => policy?.rules ?? []),
        aliases,
      );
    },
  };
}

/** Returns a function that tests whether a token has a capability on a path. */
export function rightsBy(
  policies: PolicyStore,
): (token: Token, capability: Capability, path: string) => Promise<boolean> {
  return async ({ entry }, capability, path) => {
    const capabilities = await tokenCapabilities(policies, entry, path);
    return capabilities.includes('root') || capabilities.includes(capability);
  };
}

/** Refuses templates in paths, which would be taken literally and deny nothing. Stored policies stay valid. */
function requireNoTemplates(rules: readonly PolicyRule[]): void {
  const templated = rules.find(({ pattern }) => /\{\{|\}\}/.test(pattern));
  if (templated === undefined) return;
  throw new QuotingError(
    'bad-request',
    `path ${JSON.stringify(templated.pattern)}: there are no templates {{...}}, write the names out`,
    notAPolicy,
  );
}

function requireName(name: string): void {
  if (namePattern.test(name)) return;
  throw badRequest('a policy name has letters, digits, and . _ - between them');
}
