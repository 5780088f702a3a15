import type { CoarsePolicy, Level } from './capability.js';
import { createNamespaceRules, type NamespaceGrant, type NamespaceRules } from './namespace-rules.js';

/** The rights of a caller, as a value. Asking never throws; what a refusal looks like is decided elsewhere. */
export interface Access extends NamespaceRules {
  /** May do everything, also what no policy can give. */
  readonly management: boolean;
  /** Callers with the same key have the same rights: part of the key of whatever is kept of their answers. */
  readonly key: string;
  /** The policies that the rights come from, which are no secret to the caller; null where all may be seen. */
  readonly policies: ReadonlySet<string> | null;
  node(level: Level): boolean;
  agent(level: Level): boolean;
  operator(level: Level): boolean;
}

/** What one policy says, read from its rules. Null where it says nothing. */
export interface PolicyGrants {
  readonly namespaces: readonly NamespaceGrant[];
  readonly node: CoarsePolicy | null;
  readonly agent: CoarsePolicy | null;
  readonly operator: CoarsePolicy | null;
}

const always = (): boolean => true;

/** Of management tokens, and of everybody while access control is off. */
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

/** The rights that policies give together: they add up, and what one of them denies is denied. */
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
