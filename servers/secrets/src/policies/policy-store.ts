import { QuotingError, SecretsError } from '../base/errors.js';
import { foldName } from '../base/fold.js';
import { getJson, putJson, removeEntry } from '../storage/json-entry.js';
import type { Storage } from '../storage/storage.js';
import type { Token } from '../tokens/token-entry.js';
import { capabilitiesOn, canonicalPath } from './access.js';
import { notAPolicy, parsePolicy } from './parse-policy.js';
import { tokenCapabilities } from './token-capabilities.js';
import type { Capability, Policy, PolicyRule } from './policy.js';

/** The policies of the server, by name in lower case. `root` and `default` are there from the beginning. */
export interface PolicyStore {
  /** Null if there is no such policy. */
  read(name: string): Promise<Policy | null>;
  list(): Promise<readonly string[]>;
  /** Resolves with the rules that were written. @throws SecretsError `bad-request` */
  write(name: string, text: string): Promise<readonly PolicyRule[]>;
  /** @throws SecretsError `bad-request` for those that are built in */
  remove(name: string): Promise<void>;
  /** The capabilities of a holder of these policies on a path; names of policies that are gone count for nothing. */
  capabilities(policies: readonly string[], path: string): Promise<readonly (Capability | 'root')[]>;
}

const prefix = 'sys/policy/';
/** Compared with a name as it was sent: folding would make plain letters of others. */
const namePattern = /^[0-9A-Za-z_](?:[0-9A-Za-z_.-]{0,126}[0-9A-Za-z_])?$/;

/** The policy of every token unless its role says otherwise: it may look after itself. */
const defaultText = `# What a token may do with itself.
path "auth/token/lookup-self" { capabilities = ["read", "update"] }
path "auth/token/renew-self" { capabilities = ["update"] }
path "auth/token/revoke-self" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }
`;

/** @param aliases all names of a path: none of them may be a way around a policy. */
export function createPolicyStore(storage: Storage, aliases = canonicalPath): PolicyStore {
  /** Read once and cached: there are few, and every request uses some. Null represents a missing one. */
  const known = new Map<string, Policy | null>();
  let changes = 0;
  /** Policies remembered. Stops tokens with made-up names from filling the memory. */
  const maxKnown = 10_000;

  async function load(name: string): Promise<Policy | null> {
    if (name === 'root') return { name, text: '', rules: [] };
    const text = (await getJson<string>(storage, prefix + name)) ?? (name === 'default' ? defaultText : null);
    return text === null ? null : { name, text, rules: parsePolicy(name, text) };
  }

  async function read(name: string): Promise<Policy | null> {
    if (!namePattern.test(name)) return null;
    const lower = foldName(name);
    const cached = known.get(lower);
    if (cached !== undefined) return cached;
    const changesBefore = changes;
    const loaded = await load(lower);
    // A value read during a write may be stale: it must not be cached.
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
    async list() {
      const stored = (await storage.list(prefix)).map((path) => path.slice(prefix.length));
      return [...new Set([...stored, 'default', 'root'])].sort();
    },
    async write(name, text) {
      requireName(name);
      const lower = foldName(name);
      if (lower === 'root') throw new SecretsError('bad-request', 'the policy root cannot be changed');
      const rules = parsePolicy(lower, text);
      requireNoTemplates(rules);
      await storage.write([putJson(prefix + lower, text)]);
      forget(lower);
      return rules;
    },
    async remove(name) {
      requireName(name);
      const lower = foldName(name);
      if (lower === 'root' || lower === 'default') {
        throw new SecretsError('bad-request', `the policy ${lower} cannot be removed`);
      }
      await storage.write([removeEntry(prefix + lower)]);
      forget(lower);
    },
    async capabilities(policies, path) {
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

/** Whether a token may do something on a path. */
export function rightsBy(
  policies: PolicyStore,
): (token: Token, capability: Capability, path: string) => Promise<boolean> {
  return async ({ entry }, capability, path) => {
    const capabilities = await tokenCapabilities(policies, entry, path);
    return capabilities.includes('root') || capabilities.includes(capability);
  };
}

/** A path with a template would be taken literally: what it denies would be denied nowhere. Old policies go on. */
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
  throw new SecretsError('bad-request', 'a policy name has letters, digits, and . _ - between them');
}
