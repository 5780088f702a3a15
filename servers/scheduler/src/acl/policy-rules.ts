import {
  block,
  choice,
  ConfigError,
  decodeConfig,
  labelled,
  list,
  parseConfig,
  required,
} from '@tamis/config';
import { SchedulerError } from '../errors.js';
import type { PolicyGrants } from './access.js';
import {
  capabilitiesOf,
  coarsePolicies,
  namespaceCapabilities,
  namespacePolicies,
  type NamespaceCapability,
  type NamespacePolicy,
} from './capability.js';
import type { NamespaceGrant } from './namespace-rules.js';

/** What the text is called in messages, before the line and the column. */
const name = 'Rules';

/** Longest rules, in UTF-16 units. Stops one policy from costing every request that it is read for. */
const maxRulesLength = 65_536;

const coarse = block({ policy: required(choice(coarsePolicies)) });

const rulesFields = {
  namespace: labelled(
    block({
      policy: choice(namespacePolicies),
      capabilities: list(choice(['deny', ...namespaceCapabilities])),
    }),
    { repeat: true },
  ),
  node: coarse,
  agent: coarse,
  operator: coarse,
};

/** A name, in which `*` stands for any text. */
const namespacePattern = /^[A-Za-z0-9*-]{1,128}$/;

/**
 * Reads the rules of a policy, HCL 1 or JSON: `namespace "default" { policy = "read" }`, `node { policy = "write" }`.
 *
 * @throws SchedulerError `bad-acl` with the places that are wrong and what may stand there.
 */
export function readPolicyRules(rules: string): PolicyGrants {
  if (rules.length > maxRulesLength) refuse(`longer than ${maxRulesLength} characters`);
  const { namespace = [], node, agent, operator } = decode(rules);
  if (namespace.length === 0 && !node && !agent && !operator) {
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

function decode(rules: string): ReturnType<typeof decodeConfig<typeof rulesFields>> {
  try {
    return decodeConfig(parseConfig(rules, { name }), rulesFields);
  } catch (error) {
    if (error instanceof ConfigError) throw new SchedulerError('bad-acl', error.message);
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
  throw new SchedulerError('bad-acl', `${place}: ${problem}`);
}
