import type { Agent } from '../../src/agent/agent.js';
import { aclRules, policyOf } from './acl-policies.js';
import { call, createTestAgent, type TestResponse, type TestOptions } from './test-agent.js';

const id = (kind: number, at: number): string => `${kind}0000000-0000-4000-8000-00000000000${at}`;

/** The rows of the two namespaces, `default` first. */
export const aclIds = {
  node: id(1, 1),
  evaluations: [id(2, 1), id(2, 2)],
  deployments: [id(3, 1), id(3, 2)],
  allocations: [id(4, 1), id(4, 2)],
} as const;

const stamps = { CreateIndex: 10, ModifyIndex: 10 };

/** A job with its evaluation, deployment and allocation, on the one node there is. */
function work(at: 0 | 1, Namespace: string, JobID: string): readonly object[] {
  const other = at === 0 ? 1 : 0;
  const mine = { Namespace, JobID, ...stamps };
  const [EvalID, DeploymentID] = [aclIds.evaluations[at], aclIds.deployments[at]];
  return [
    { kind: 'namespace', object: { Name: Namespace, ...stamps } },
    {
      kind: 'job',
      object: { ID: JobID, Name: JobID, Namespace, Type: 'service', Status: 'running', ...stamps },
    },
    // Each evaluation follows the other one.
    { kind: 'evaluation', object: { ID: EvalID, ...mine, NextEval: aclIds.evaluations[other] } },
    { kind: 'deployment', object: { ID: DeploymentID, ...mine, TaskGroups: at === 0 ? { cache: {} } : {} } },
    {
      kind: 'allocation',
      object: { ID: aclIds.allocations[at], ...mine, EvalID, DeploymentID, NodeID: aclIds.node },
    },
  ];
}

const lines = [
  { kind: 'node', object: { ID: aclIds.node, Name: 'n1', Datacenter: 'dc1', Status: 'ready', ...stamps } },
  ...work(0, 'default', 'alpha'),
  ...work(1, 'apps', 'delta'),
];

/** An agent with access control. */
export interface AclCluster {
  readonly agent: Agent;
  /** The secrets of the tokens, by their names; `mgmt` may do everything. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Sends a request with a token, or without one for the empty name. */
  sendAs(token: string, path: string, init?: Parameters<typeof call>[2]): Promise<TestResponse>;
}

/**
 * Starts an agent with access control: job `alpha` in `default` and `delta` in `apps`, with what belongs to them, and a
 * token for each of the rules.
 */
export async function createAclCluster(
  rules: Readonly<Record<string, string>> = aclRules,
  options: TestOptions = {},
): Promise<AclCluster> {
  const { config, ...others } = options;
  const agent = await createTestAgent({ lines, ...others, config: { ...config, acl: { enabled: true } } });
  const tokens = new Map<string, string>([['', '']]);
  const sendAs: AclCluster['sendAs'] = (token, path, init = {}) => {
    const secret = tokens.get(token) ?? token;
    const headers = secret === '' ? {} : { 'x-scheduler-token': secret };
    return call(agent, path, { ...init, headers: { ...headers, ...init.headers } });
  };
  const write = async (path: string, body: object): Promise<TestResponse> => {
    const response = await sendAs('mgmt', path, { method: 'PUT', body });
    if (response.status !== 200) throw new Error(`PUT ${path}: ${response.status} ${response.text}`);
    return response;
  };
  tokens.set('mgmt', '');
  tokens.set('mgmt', secretOf(await write('/v1/acl/bootstrap', {})));
  for (const [name, Rules] of Object.entries(rules)) {
    const policy = policyOf(name);
    await write(`/v1/acl/policy/${policy}`, { Rules });
    const token = { Name: name, Type: 'client', Policies: [policy] };
    tokens.set(name, secretOf(await write('/v1/acl/token', token)));
  }
  return { agent, tokens, sendAs };
}

export function secretOf(response: TestResponse): string {
  return (response.json() as { readonly SecretID: string }).SecretID;
}
