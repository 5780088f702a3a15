import {
  block,
  choice,
  ConfigError,
  decodeConfig,
  labelled,
  list,
  parseConfig,
  required,
  type Block,
  type Labelled,
  type Reader,
} from '@tamis/config';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import type { PolicyGrants } from './access.js';
import {
  capabilitiesOf,
  coarsePolicies,
  hostVolumeCapabilities,
  namespaceCapabilities,
  namespacePolicies,
  nodePoolCapabilities,
  pluginPolicies,
  variableCapabilities,
  type NamespaceCapability,
  type NamespacePolicy,
} from './capability.js';
import type { NamespaceGrant } from './namespace-rules.js';

/** Name of the rules in error messages, before line and column. */
const name = 'Rules';

/** Maximum length of rules, in UTF-16 units. Prevents one policy from slowing down every request that uses it. */
const maxRulesLength = 65_536;

const coarse = block({ policy: required(choice(coarsePolicies)) });

/** Rules about variables, a feature that this server does not have. */
const variables = block({
  path: labelled(block({ capabilities: required(list(choice(variableCapabilities))) }), { repeat: true }),
});

/** Returns the reader of rules about named objects of a feature that this server does not have. */
function named(capabilities: readonly string[]): Reader<readonly Labelled<unknown>[]> {
  const fields = { policy: choice(coarsePolicies), capabilities: list(choice(capabilities)) };
  return labelled(block(fields), { repeat: true });
}

const effectiveFields = {
  namespace: labelled(
    block({
      policy: choice(namespacePolicies),
      capabilities: list(choice(['deny', ...namespaceCapabilities])),
      variables,
    }),
    { repeat: true },
  ),
  node: coarse,
  agent: coarse,
  operator: coarse,
};

/**
 * Rules for features that this server does not have. They are accepted without effect, so that policies can be stored unchanged.
 */
const idleFields = {
  node_pool: named(nodePoolCapabilities),
  host_volume: named(hostVolumeCapabilities),
  plugin: block({ policy: required(choice(pluginPolicies)) }),
  quota: coarse,
};

const rulesFields = { ...effectiveFields, ...idleFields };
type DecodedRules = Block<typeof rulesFields>;

/** A name in which `*` matches any string. */
const namespacePattern = /^[A-Za-z0-9*-]{1,128}$/;

/**
 * Parses the rules of a policy, HCL 1 or JSON: `namespace "default" { policy = "read" }`, `node { policy = "write" }`.
 *
 * @throws SchedulerError `bad-request` with the positions of the errors and the valid values.
 */
export function readPolicyRules(rules: string): PolicyGrants {
  if (rules.length > maxRulesLength) refuse(`longer than ${maxRulesLength} characters`);
  const decoded = decode(rules);
  const { namespace = [], node, agent, operator } = decoded;
  if (
    Object.values(decoded).every((rule) => rule === undefined || (Array.isArray(rule) && rule.length === 0))
  ) {
    refuse(`expected at least one of ${Object.keys(rulesFields).join(', ')}`);
  }
  const namespaces = namespace.map(({ label, at, value }) => {
    if (namespacePattern.test(label)) return readGrant(label, value);
    return refuse('expected letters, digits, dashes and * as the name of a namespace', at);
  });
  return {
    namespaces,
    node: node?.policy ?? null,
    agent: agent?.policy ?? null,
    operator: operator?.policy ?? null,
  };
}

/** Returns the names of the rules without effect on this server, such as `node_pool` and `quota`. */
export function idleParts(rules: string): readonly string[] {
  const decoded = decode(rules);
  const kinds = Object.keys(idleFields).filter(
    (kind) => decoded[kind as keyof typeof idleFields] !== undefined,
  );
  const namespaces = decoded.namespace?.filter(({ value }) => value.variables !== undefined) ?? [];
  return [...kinds, ...namespaces.map(({ label }) => `namespace ${JSON.stringify(label)}.variables`)];
}

function decode(rules: string): DecodedRules {
  try {
    return decodeConfig(parseConfig(rules, { name }), rulesFields);
  } catch (error) {
    if (error instanceof ConfigError) throw badRequest(error.message);
    throw error;
  }
}

interface NamespaceBlock {
  readonly policy: NamespacePolicy | undefined;
  readonly capabilities: readonly (NamespaceCapability | 'deny')[] | undefined;
}

function readGrant(pattern: string, { policy, capabilities = [] }: NamespaceBlock): NamespaceGrant {
  const fromPolicy = policy === undefined || policy === 'deny' ? [] : capabilitiesOf[policy];
  return {
    pattern,
    denied: policy === 'deny' || capabilities.includes('deny'),
    capabilities: [...fromPolicy, ...capabilities.filter((capability) => capability !== 'deny')],
  };
}

function refuse(
  problem: string,
  at: { readonly line: number; readonly column: number } | null = null,
): never {
  const place = at === null ? name : `${name}:${at.line}:${at.column}`;
  throw badRequest(`${place}: ${problem}`);
}
