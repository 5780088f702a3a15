import type { CoarsePolicy, Level } from './capability.js';
import { createNamespaceRules, type NamespaceGrant, type NamespaceRules } from './namespace-rules.js';

/** The rights of a caller, as a value. Its methods never throw; callers decide how to refuse. */
export interface Access extends NamespaceRules {
  /** May do everything, even what no policy can grant. */
  readonly management: boolean;
  /** Callers with the same key have the same rights: part of the key of cached responses. */
  readonly key: string;
  /** The policies that grant the rights, which the caller may see; null if the caller may see all policies. */
  readonly policies: ReadonlySet<string> | null;
  node(level: Level): boolean;
  agent(level: Level): boolean;
  operator(level: Level): boolean;
}

/** The parsed rules of one policy. Null if it has no such rule. */
export interface PolicyGrants {
  readonly namespaces: readonly NamespaceGrant[];
  readonly node: CoarsePolicy | null;
  readonly agent: CoarsePolicy | null;
  readonly operator: CoarsePolicy | null;
}

const always = (): boolean => true;

/** For management tokens, and for all callers while access control is off. */
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

/** Combines the rights of policies: they add up, and a denial in one of them wins. */
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
