import type { NamespaceCapability } from './capability.js';

/** A policy rule for the namespaces whose names match a pattern. */
export interface NamespaceGrant {
  /** A name in which `*` matches any string. */
  readonly pattern: string;
  readonly denied: boolean;
  readonly capabilities: readonly NamespaceCapability[];
}

/** Tests namespaces by name. */
export type NamespaceTest = (namespace: string) => boolean;

/** The combined namespace rules of several policies. */
export type NamespaceRules = ReturnType<typeof createNamespaceRules>;

/** The capabilities that one pattern grants; empty if any rule denies. */
type Capabilities = ReadonlySet<NamespaceCapability>;

interface PatternRule {
  readonly pattern: string;
  readonly capabilities: Capabilities;
}

const nothing: Capabilities = new Set();

/** Maximum number of namespaces with cached rights. Prevents requests for invented names from filling the memory. */
const maxRemembered = 1_024;

/**
 * Creates the combined rules. For a namespace, the rule with its exact name applies; otherwise, of the matching patterns, the one
 * with the most characters other than `*`. Rules of equal rank add up, but a denial among them wins.
 */
export function createNamespaceRules(grants: readonly NamespaceGrant[]) {
  const byPattern = mergeByPattern(grants);
  const globs = [...byPattern.values()]
    .filter(({ pattern }) => pattern.includes('*'))
    .sort((a, b) => weightOf(b.pattern) - weightOf(a.pattern));
  const remembered = new Map<string, Capabilities>();

  function decide(namespace: string): Capabilities {
    const exact = byPattern.get(namespace);
    if (exact !== undefined) return exact.capabilities;
    const best = globs.find(({ pattern }) => fitsPattern(pattern, namespace));
    if (best === undefined) return nothing;
    const weight = weightOf(best.pattern);
    const equals = globs.filter(
      ({ pattern }) => weightOf(pattern) === weight && fitsPattern(pattern, namespace),
    );
    return unite(equals.map(({ capabilities }) => capabilities));
  }

  function capabilitiesIn(namespace: string): Capabilities {
    const known = remembered.get(namespace);
    if (known !== undefined) return known;
    const decided = decide(namespace);
    if (remembered.size < maxRemembered) remembered.set(namespace, decided);
    return decided;
  }

  return {
    /** Whether the namespace grants any of these capabilities. */
    allowsNamespace(
      capability: NamespaceCapability | readonly NamespaceCapability[],
      namespace: string,
    ): boolean {
      const allowed = capabilitiesIn(namespace);
      return typeof capability === 'string'
        ? allowed.has(capability)
        : capability.some((one) => allowed.has(one));
    },
    /** Returns a test for namespaces in which a capability is granted; null if no rule grants it anywhere. */
    namespacesWith(capability: NamespaceCapability): NamespaceTest | null {
      const isGiven = [...byPattern.values()].some(({ capabilities }) => capabilities.has(capability));
      return isGiven ? rememberLast((namespace) => capabilitiesIn(namespace).has(capability)) : null;
    },
    /** Whether the namespace grants any capability. */
    seesNamespace: (namespace: string): boolean => capabilitiesIn(namespace).size > 0,
  };
}

/**
 * Returns the same test, which remembers its last result: rows of one namespace are adjacent, so most calls repeat the previous
 * one.
 */
function rememberLast(test: NamespaceTest): NamespaceTest {
  let last: string | null = null;
  let result = false;
  return (namespace) => {
    if (namespace !== last) {
      last = namespace;
      result = test(namespace);
    }
    return result;
  };
}

function mergeByPattern(grants: readonly NamespaceGrant[]): ReadonlyMap<string, PatternRule> {
  const rules = new Map<string, PatternRule>();
  const denied = new Set(grants.filter((grant) => grant.denied).map(({ pattern }) => pattern));
  for (const { pattern, capabilities } of grants) {
    const before = rules.get(pattern)?.capabilities ?? nothing;
    const together = denied.has(pattern) ? nothing : new Set([...before, ...capabilities]);
    rules.set(pattern, { pattern, capabilities: together });
  }
  return rules;
}

/** Returns the union; empty if one of the sets is empty, which is a denial. */
function unite(sets: readonly Capabilities[]): Capabilities {
  return sets.some(({ size }) => size === 0) ? nothing : new Set(sets.flatMap((set) => [...set]));
}

/** Returns the number of literal characters of a pattern. */
function weightOf(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}

/** Whether a name matches a pattern. Searches the parts between the stars in order, without backtracking. */
export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === name;
  const last = rest.pop() ?? '';
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
