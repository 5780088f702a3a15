import type { ParameterName } from './parameters.js';

/** What a request must be allowed to do when access control is on. */
export type NeededRight =
  | 'nothing'
  | 'a token'
  | 'management'
  | 'any right on the namespace'
  | 'namespace:list-jobs'
  | 'namespace:read-job'
  | 'namespace:submit-job'
  | 'namespace:dispatch-job'
  | 'node:read'
  | 'node:write'
  | 'agent:read'
  | 'agent:write';

/** A body of success: a schema by its name, a list of them, or a form of its own. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly schema: string }
  | { readonly kind: 'list'; readonly schema: string; readonly explained: boolean }
  | { readonly kind: 'texts' }
  | { readonly kind: 'text' }
  | { readonly kind: 'maybe'; readonly schema: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'frames' }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'document' };

/** One thing that can be asked of the server. PUT and POST are the same: `put` stands for both. */
export interface Operation {
  readonly method: 'get' | 'put' | 'delete';
  /** With `{names}` for what stands in the path. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly right: NeededRight;
  readonly parameters: readonly ParameterName[];
  readonly body: string | null;
  readonly needsBody: boolean;
  readonly answer: AnswerBody;
  /** Whether the answer has an index: reads also tell about the leader. */
  readonly headers: 'none' | 'read' | 'page' | 'write';
  /** The failures that are its own, beside those that every operation has. */
  readonly failures: readonly (404 | 429 | 501 | 503)[];
}

const reading = ['region', 'stale', 'index', 'wait', 'pretty'] as const;
const paging = ['filter', 'per_page', 'next_token', 'prefix', 'explain'] as const;

type Given = Pick<Operation, 'path' | 'summary' | 'tag' | 'right'> & Partial<Operation>;

const plain = {
  body: null,
  needsBody: false,
  failures: [],
  headers: 'none',
  parameters: ['pretty'],
} as const;

function list(given: Given, schema: string, parameters: readonly ParameterName[] = []): Operation {
  return {
    ...plain,
    method: 'get',
    headers: 'page',
    answer: { kind: 'list', schema, explained: true },
    failures: [429, 503],
    ...given,
    parameters: [...reading, ...paging, ...parameters],
  };
}

function read(given: Given, answer: AnswerBody, parameters: readonly ParameterName[] = []): Operation {
  return {
    ...plain,
    method: 'get',
    headers: 'read',
    answer,
    failures: [404, 429, 503],
    ...given,
    parameters: [...reading, ...parameters],
  };
}

function write(given: Given, body: string | null, answer: AnswerBody): Operation {
  return {
    ...plain,
    method: 'put',
    body,
    needsBody: body !== null,
    headers: 'write',
    answer,
    ...given,
    parameters: ['region', 'pretty', ...(given.parameters ?? [])],
  };
}

function ask(given: Given, answer: AnswerBody): Operation {
  return { ...plain, method: 'get', answer, ...given };
}

const one = (schema: string): AnswerBody => ({ kind: 'json', schema });
const several = (schema: string): AnswerBody => ({ kind: 'list', schema, explained: false });
const empty: AnswerBody = { kind: 'empty' };

const jobs = { tag: 'jobs', right: 'namespace:read-job' } as const;
const jobWrites = { tag: 'jobs', right: 'namespace:submit-job' } as const;
const allocations = { tag: 'allocations', right: 'namespace:read-job' } as const;
const evaluations = { tag: 'evaluations', right: 'namespace:read-job' } as const;
const deployments = { tag: 'deployments', right: 'namespace:read-job' } as const;
const deploymentWrites = { tag: 'deployments', right: 'namespace:submit-job', failures: [404] } as const;
const nodes = { tag: 'nodes', right: 'node:read' } as const;
const nodeWrites = { tag: 'nodes', right: 'node:write', failures: [404] } as const;
const namespaces = { tag: 'namespaces', right: 'any right on the namespace' } as const;
const namespaceWrites = { tag: 'namespaces', right: 'management' } as const;
const acl = { tag: 'acl', right: 'management' } as const;
const agent = { tag: 'agent', right: 'agent:read' } as const;
const agentWrites = { tag: 'agent', right: 'agent:write' } as const;
const status = { tag: 'status', right: 'nothing' } as const;

/** Everything that can be asked of the server. */
export const operations: readonly Operation[] = [
  list({ tag: 'jobs', right: 'namespace:list-jobs', path: '/v1/jobs', summary: 'List jobs' }, 'JobListStub', [
    'namespace',
    'reverse',
    'meta',
  ]),
  write(
    { ...jobWrites, path: '/v1/jobs', summary: 'Register a job', parameters: ['namespace'] },
    'JobRegistration',
    one('JobRegistered'),
  ),
  read({ ...jobs, path: '/v1/job/{job_id}', summary: 'Read a job' }, one('Job'), ['namespace']),
  write(
    {
      ...jobWrites,
      path: '/v1/job/{job_id}',
      summary: 'Register a job under its ID',
      parameters: ['namespace'],
      failures: [404],
    },
    'JobRegistration',
    one('JobRegistered'),
  ),
  write(
    {
      ...jobWrites,
      method: 'delete',
      path: '/v1/job/{job_id}',
      summary: 'Stop a job',
      parameters: ['namespace', 'purge', 'global', 'no_shutdown_delay', 'eval_priority'],
      failures: [404],
    },
    null,
    one('JobDeregistered'),
  ),
  read(
    { ...jobs, path: '/v1/job/{job_id}/summary', summary: 'Read the summary of a job' },
    one('JobSummary'),
    ['namespace'],
  ),
  read(
    { ...jobs, path: '/v1/job/{job_id}/versions', summary: 'Read the versions of a job' },
    one('JobVersions'),
    ['namespace'],
  ),
  read(
    { ...jobs, path: '/v1/job/{job_id}/allocations', summary: 'List the allocations of a job' },
    several('AllocationListStub'),
    ['namespace', 'all', 'resources', 'task_states'],
  ),
  read(
    { ...jobs, path: '/v1/job/{job_id}/evaluations', summary: 'List the evaluations of a job' },
    several('Evaluation'),
    ['namespace'],
  ),
  read(
    { ...jobs, path: '/v1/job/{job_id}/deployments', summary: 'List the deployments of a job' },
    several('Deployment'),
    ['namespace', 'all'],
  ),
  read(
    { ...jobs, path: '/v1/job/{job_id}/deployment', summary: 'Read the last deployment of a job' },
    { kind: 'maybe', schema: 'Deployment' },
    ['namespace'],
  ),
  write(
    {
      ...jobWrites,
      path: '/v1/job/{job_id}/evaluate',
      summary: 'Evaluate a job again',
      parameters: ['namespace'],
      failures: [404],
      needsBody: false,
    },
    'JobEvaluation',
    one('JobRegistered'),
  ),
  write(
    {
      ...jobWrites,
      right: 'namespace:dispatch-job',
      path: '/v1/job/{job_id}/dispatch',
      summary: 'Start a parameterised job',
      parameters: ['namespace', 'idempotency_token'],
      failures: [404],
      needsBody: false,
    },
    'JobDispatch',
    one('JobDispatched'),
  ),
  write(
    {
      ...jobWrites,
      path: '/v1/job/{job_id}/periodic/force',
      summary: 'Launch a periodic job now',
      parameters: ['namespace'],
      failures: [404],
    },
    null,
    one('PeriodicLaunched'),
  ),

  list({ ...nodes, path: '/v1/nodes', summary: 'List nodes' }, 'NodeListStub', ['resources', 'os']),
  read({ ...nodes, path: '/v1/node/{node_id}', summary: 'Read a node' }, one('Node')),
  read(
    { ...nodes, path: '/v1/node/{node_id}/allocations', summary: 'List the allocations on a node' },
    several('Allocation'),
  ),
  write(
    { ...nodeWrites, path: '/v1/node/{node_id}/eligibility', summary: 'Let a node take new work, or not' },
    'NodeEligibility',
    one('NodeWritten'),
  ),
  write(
    { ...nodeWrites, path: '/v1/node/{node_id}/drain', summary: 'Begin or end the drain of a node' },
    'NodeDrain',
    one('NodeWritten'),
  ),
  write(
    { ...nodeWrites, path: '/v1/node/{node_id}/evaluate', summary: 'Evaluate what concerns a node' },
    null,
    one('NodeWritten'),
  ),
  write(
    { ...nodeWrites, path: '/v1/node/{node_id}/purge', summary: 'Forget a node' },
    null,
    one('NodeWritten'),
  ),

  list({ ...allocations, path: '/v1/allocations', summary: 'List allocations' }, 'AllocationListStub', [
    'namespace',
    'reverse',
    'resources',
    'task_states',
  ]),
  read(
    { ...allocations, path: '/v1/allocation/{alloc_id}', summary: 'Read an allocation' },
    one('Allocation'),
    ['namespace'],
  ),

  list({ ...evaluations, path: '/v1/evaluations', summary: 'List evaluations' }, 'Evaluation', [
    'namespace',
    'reverse',
    'job',
    'status',
  ]),
  read(
    { ...evaluations, path: '/v1/evaluation/{eval_id}', summary: 'Read an evaluation' },
    one('Evaluation'),
    ['namespace', 'related'],
  ),
  read(
    {
      ...evaluations,
      path: '/v1/evaluation/{eval_id}/allocations',
      summary: 'List the allocations of an evaluation',
    },
    several('AllocationListStub'),
    ['namespace', 'resources', 'task_states'],
  ),

  list({ ...deployments, path: '/v1/deployments', summary: 'List deployments' }, 'Deployment', [
    'namespace',
    'reverse',
  ]),
  read(
    { ...deployments, path: '/v1/deployment/{deployment_id}', summary: 'Read a deployment' },
    one('Deployment'),
    ['namespace'],
  ),
  read(
    {
      ...deployments,
      path: '/v1/deployment/allocations/{deployment_id}',
      summary: 'List the allocations of a deployment',
    },
    several('AllocationListStub'),
    ['namespace', 'resources', 'task_states'],
  ),
  write(
    {
      ...deploymentWrites,
      path: '/v1/deployment/promote/{deployment_id}',
      summary: 'Promote the canaries of a deployment',
    },
    'DeploymentPromotion',
    one('DeploymentWritten'),
  ),
  write(
    {
      ...deploymentWrites,
      path: '/v1/deployment/pause/{deployment_id}',
      summary: 'Hold a deployment, or let it go on',
    },
    'DeploymentPause',
    one('DeploymentWritten'),
  ),
  write(
    {
      ...deploymentWrites,
      path: '/v1/deployment/fail/{deployment_id}',
      summary: 'End a deployment as failed',
      needsBody: false,
    },
    'DeploymentFailure',
    one('DeploymentWritten'),
  ),
  write(
    {
      ...deploymentWrites,
      path: '/v1/deployment/allocation-health/{deployment_id}',
      summary: 'Say which allocations of a deployment are well',
    },
    'AllocationHealth',
    one('DeploymentWritten'),
  ),

  list({ ...namespaces, path: '/v1/namespaces', summary: 'List namespaces' }, 'Namespace'),
  read({ ...namespaces, path: '/v1/namespace/{name}', summary: 'Read a namespace' }, one('Namespace')),
  write({ ...namespaceWrites, path: '/v1/namespace', summary: 'Write a namespace' }, 'Namespace', empty),
  write(
    { ...namespaceWrites, path: '/v1/namespace/{name}', summary: 'Write a namespace under its name' },
    'Namespace',
    empty,
  ),
  write(
    {
      ...namespaceWrites,
      method: 'delete',
      path: '/v1/namespace/{name}',
      summary: 'Delete a namespace',
      failures: [404],
    },
    null,
    empty,
  ),

  write(
    {
      ...acl,
      right: 'nothing',
      path: '/v1/acl/bootstrap',
      summary: 'Make the first token',
      needsBody: false,
    },
    'AclBootstrapRequest',
    one('AclToken'),
  ),
  list({ ...acl, path: '/v1/acl/tokens', summary: 'List tokens' }, 'AclTokenListStub', ['reverse']),
  write({ ...acl, path: '/v1/acl/token', summary: 'Make a token' }, 'AclTokenRequest', one('AclToken')),
  read(
    { ...acl, right: 'a token', path: '/v1/acl/token/self', summary: 'Read the token of the request' },
    one('AclToken'),
  ),
  read({ ...acl, path: '/v1/acl/token/{accessor_id}', summary: 'Read a token' }, one('AclToken')),
  write(
    { ...acl, path: '/v1/acl/token/{accessor_id}', summary: 'Change a token', failures: [404] },
    'AclTokenRequest',
    one('AclToken'),
  ),
  write(
    {
      ...acl,
      method: 'delete',
      path: '/v1/acl/token/{accessor_id}',
      summary: 'Delete a token',
      failures: [404],
    },
    null,
    empty,
  ),
  list({ ...acl, path: '/v1/acl/policies', summary: 'List policies' }, 'AclPolicyListStub', ['reverse']),
  read({ ...acl, path: '/v1/acl/policy/{name}', summary: 'Read a policy' }, one('AclPolicy')),
  write({ ...acl, path: '/v1/acl/policy/{name}', summary: 'Write a policy' }, 'AclPolicyRequest', empty),
  write(
    { ...acl, method: 'delete', path: '/v1/acl/policy/{name}', summary: 'Delete a policy', failures: [404] },
    null,
    empty,
  ),

  ask(
    {
      ...agent,
      right: 'node:read',
      path: '/v1/agent/members',
      summary: 'List the members of the gossip pool',
      parameters: reading,
    },
    one('Members'),
  ),
  ask(
    { ...agent, path: '/v1/agent/servers', summary: 'List the servers that a client knows', failures: [501] },
    { kind: 'texts' },
  ),
  ask(
    {
      ...agentWrites,
      method: 'put',
      path: '/v1/agent/servers',
      summary: 'Replace the servers that a client knows',
      parameters: ['address'],
      failures: [501],
    },
    empty,
  ),
  ask(
    { ...agent, path: '/v1/agent/self', summary: 'Read what the agent tells about itself' },
    one('AgentSelf'),
  ),
  ask(
    {
      ...agent,
      right: 'nothing',
      method: 'put',
      path: '/v1/agent/join',
      summary: 'Join other agents',
      parameters: ['address', 'pretty'],
      failures: [501],
    },
    one('Joined'),
  ),
  ask(
    {
      ...agentWrites,
      method: 'put',
      path: '/v1/agent/force-leave',
      summary: 'Declare a member gone',
      parameters: ['node', 'prune'],
      failures: [501],
    },
    empty,
  ),
  ask(
    {
      ...agent,
      right: 'nothing',
      path: '/v1/agent/health',
      summary: 'Read the health of the agent',
      parameters: [...reading, 'type'],
    },
    one('AgentHealth'),
  ),
  ask(
    {
      ...agent,
      path: '/v1/agent/host',
      summary: 'Read about the machine of an agent',
      parameters: ['region', 'server_id', 'node_id', 'pretty'],
      failures: [404],
    },
    one('AgentHost'),
  ),
  ask({ ...agent, path: '/v1/agent/schedulers', summary: 'List the workers of the server' }, one('Workers')),
  ask(
    { ...agent, path: '/v1/agent/schedulers/config', summary: 'Read the configuration of the workers' },
    one('WorkerConfig'),
  ),
  ask(
    {
      ...agentWrites,
      method: 'put',
      path: '/v1/agent/schedulers/config',
      summary: 'Change the configuration of the workers',
      body: 'WorkerConfigRequest',
      needsBody: true,
    },
    one('WorkerConfig'),
  ),
  ask(
    {
      ...agent,
      path: '/v1/agent/monitor',
      summary: 'Stream the log until the client hangs up',
      parameters: [
        'region',
        'log_level',
        'log_json',
        'log_include_location',
        'plain',
        'server_id',
        'node_id',
      ],
      failures: [404],
    },
    { kind: 'frames' },
  ),
  ask(
    {
      ...agentWrites,
      path: '/v1/agent/pprof/{profile}',
      summary: 'Take a profile',
      parameters: ['region', 'seconds', 'debug', 'gc', 'server_id', 'node_id'],
      failures: [404, 429],
    },
    { kind: 'bytes' },
  ),

  ask(
    {
      ...status,
      path: '/v1/status/leader',
      summary: 'Read the address of the leader',
      parameters: ['region', 'pretty'],
    },
    { kind: 'text' },
  ),
  ask(
    {
      ...status,
      path: '/v1/status/peers',
      summary: 'List the addresses of the servers',
      parameters: ['region', 'pretty'],
    },
    { kind: 'texts' },
  ),
  ask(
    { ...status, path: '/v1/regions', summary: 'List the regions', parameters: ['region', 'pretty'] },
    { kind: 'texts' },
  ),
  ask(
    {
      ...agent,
      path: '/v1/metrics',
      summary: 'Read the figures of the agent',
      parameters: ['format', 'pretty'],
    },
    { kind: 'metrics' },
  ),
  ask({ ...status, path: '/v1/openapi.json', summary: 'Read this document' }, { kind: 'document' }),
];
