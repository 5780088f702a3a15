import type { CoarsePolicy, Level } from './capability.js';
import { createNamespaceRules, type NamespaceGrant, type NamespaceRules } from './namespace-rules.js';

/** The rights of a caller. Its methods never throw; the callers of these methods reject requests. */
export interface Access extends NamespaceRules {
  /** Whether the caller has a management token. It has all rights, including those that no policy can grant. */
  readonly management: boolean;
  /**
   * Identifies the rights. Callers with the same key have the same rights, so the key is part of the keys of cached responses.
   */
  readonly key: string;
  /** Names of the policies that grant the rights and that the caller can therefore read; null if it can read all policies. */
  readonly policies: ReadonlySet<string> | null;
  node(level: Level): boolean;
  agent(level: Level): boolean;
  operator(level: Level): boolean;
}

/** The parsed rules of one policy. Null if there is no such rule. */
export interface PolicyGrants {
  readonly namespaces: readonly NamespaceGrant[];
  readonly node: CoarsePolicy | null;
  readonly agent: CoarsePolicy | null;
  readonly operator: CoarsePolicy | null;
}

const always = (): boolean => true;

/** Rights of management tokens, and of all callers without ACLs. */
export const fullAccess: Access = Object.freeze({
  management: true,
  key: '',
  allowsNamespace: always,
  namespacesWith: () => always,
  seesNamespace: always,
  policies: null,
  node: always,
  agent: always,
  operator: always,
});

/** Combines the rights of policies: they add up, and a denial in any of them wins. */
export function accessOfPolicies(
  policies: readonly PolicyGrants[],
  names: readonly string[],
  key: string,
): Access {
  const rules = createNamespaceRules(policies.flatMap(({ namespaces }) => namespaces));
  const coarse = (kind: 'node' | 'agent' | 'operator'): ((level: Level) => boolean) => {
    const said = policies.map((policy) => policy[kind]);
    const write = said.includes('write');
    const read = write || said.includes('read');
    return said.includes('deny') ? () => false : (level) => (level === 'read' ? read : write);
  };
  return Object.freeze({
    management: false,
    key,
    ...rules,
    policies: new Set(names),
    node: coarse('node'),
    agent: coarse('agent'),
    operator: coarse('operator'),
  });
}
