import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../src/agent-config.js';
import { routesOf } from '../../src/http/route-table.js';
import { aclIds, createAclCluster, type AclCluster } from '../support/acl-cluster.js';

/** A token for each right that a route may need. The namespace is `default`. */
const rules = {
  'list-jobs': 'namespace "default" { capabilities = ["list-jobs"] }',
  'read-job': 'namespace "default" { capabilities = ["read-job"] }',
  'submit-job': 'namespace "default" { capabilities = ["submit-job"] }',
  'register-job': 'namespace "default" { capabilities = ["register-job"] }',
  'dispatch-job': 'namespace "default" { capabilities = ["dispatch-job"] }',
  'deregister-job': 'namespace "default" { capabilities = ["deregister-job"] }',
  'node:read': 'node { policy = "read" }',
  'node:write': 'node { policy = "write" }',
  'agent:read': 'agent { policy = "read" }',
  'agent:write': 'agent { policy = "write" }',
  'operator:write': 'operator { policy = "write" }',
};
type Right = keyof typeof rules;

/**
 * `anybody`: tokens are not looked at. `anonymous`: no token is needed, and one that is given must exist. `any-token`:
 * whatever it may do.
 */
type Need = readonly Right[] | 'anybody' | 'anonymous' | 'any-token' | 'management';

interface Declared {
  readonly need: Need;
  /** Where the path ends in a star: what stands there. */
  readonly path?: string;
  readonly body?: object;
  /** What other ends of the path need. */
  readonly also?: readonly Declared[];
  /** How a refusal looks, where it does not look like one. */
  readonly refusal?: number;
}

const [evaluation] = aclIds.evaluations;
const [deployment] = aclIds.deployments;
const [allocation] = aclIds.allocations;
const job = {
  Job: {
    ID: 'alpha',
    Datacenters: ['dc1'],
    TaskGroups: [{ Name: 'g', Tasks: [{ Name: 't', Driver: 'exec' }] }],
  },
};
const namespaceRead: Need = [
  'list-jobs',
  'read-job',
  'submit-job',
  'register-job',
  'dispatch-job',
  'deregister-job',
];
const agentRead: Need = ['agent:read', 'agent:write'];
const token = { Type: 'client', Policies: ['x'] };

const eligibility: Declared = {
  need: ['node:write'],
  path: `/v1/node/${aclIds.node}/eligibility`,
  body: { Eligibility: 'eligible' },
};

/** The commands to deployments. */
const commands = Object.fromEntries(
  ['promote', 'pause', 'fail', 'allocation-health'].flatMap((word) =>
    ['PUT', 'POST'].map((method): [string, Declared] => [
      `${method} /v1/deployment/${word}/*`,
      { need: ['submit-job'], path: `/v1/deployment/${word}/${deployment}`, body: { All: true } },
    ]),
  ),
);

const jobWrites: readonly Declared[] = [
  { need: ['submit-job'], path: '/v1/job/alpha/evaluate' },
  { need: ['dispatch-job'], path: '/v1/job/alpha/dispatch' },
  { need: ['submit-job', 'dispatch-job'], path: '/v1/job/alpha/periodic/force' },
];
const nodeWrites: Declared = {
  need: ['node:write'],
  path: `/v1/node/${aclIds.node}/eligibility`,
  body: { Eligibility: 'eligible' },
  also: ['drain', 'evaluate', 'purge'].map((word) => ({
    need: ['node:write'],
    path: `/v1/node/${word === 'purge' ? 'unknown' : aclIds.node}/${word}`,
    body: {},
  })),
};
const deploymentWrite = (word: string, body: object): Declared => ({
  need: ['submit-job'],
  path: `/v1/deployment/${word}/${deployment}`,
  body,
});

/** Every route of the server, and who may use it. */
const declared: Readonly<Record<string, Declared>> = {
  'GET /': { need: 'anybody' },
  'GET /ui': { need: 'anybody' },
  'GET /ui/': { need: 'anybody' },
  'GET /ui/page.css': { need: 'anybody' },
  'GET /v1/jobs': { need: ['list-jobs'] },
  'PUT /v1/jobs': { need: ['submit-job', 'register-job'], body: job },
  'POST /v1/jobs': { need: ['submit-job', 'register-job'], body: job },
  'GET /v1/job/*': { need: ['read-job'], path: '/v1/job/alpha' },
  'PUT /v1/job/*': {
    need: ['submit-job', 'register-job'],
    path: '/v1/job/alpha',
    body: job,
    also: jobWrites,
  },
  'POST /v1/job/*': {
    need: ['submit-job', 'register-job'],
    path: '/v1/job/alpha',
    body: job,
    also: jobWrites,
  },
  'DELETE /v1/job/*': { need: ['submit-job', 'deregister-job'], path: '/v1/job/alpha' },
  ...Object.fromEntries(
    ['PUT', 'POST'].flatMap((method) => [
      [`${method} /v1/node/*`, nodeWrites],
      [`${method} /v1/deployment/promote/*`, deploymentWrite('promote', { All: true })],
      [`${method} /v1/deployment/pause/*`, deploymentWrite('pause', { Pause: true })],
      [`${method} /v1/deployment/fail/*`, deploymentWrite('fail', {})],
      [`${method} /v1/deployment/allocation-health/*`, deploymentWrite('allocation-health', {})],
    ]),
  ),
  'GET /v1/nodes': { need: ['node:read', 'node:write'] },
  'GET /v1/node/*': { need: ['node:read', 'node:write'], path: `/v1/node/${aclIds.node}` },
  'PUT /v1/node/*': eligibility,
  'POST /v1/node/*': eligibility,
  ...commands,
  'GET /v1/deployments': { need: ['read-job'] },
  'GET /v1/deployment/*': { need: ['read-job'], path: `/v1/deployment/${deployment}` },
  'GET /v1/deployment/allocations/*': {
    need: ['read-job'],
    path: `/v1/deployment/allocations/${deployment}`,
  },
  'GET /v1/evaluations': { need: ['read-job'] },
  'GET /v1/evaluation/*': { need: ['read-job'], path: `/v1/evaluation/${evaluation}` },
  'GET /v1/allocations': { need: ['read-job'] },
  'GET /v1/allocation/*': { need: ['read-job'], path: `/v1/allocation/${allocation}`, refusal: 404 },
  'GET /v1/namespaces': { need: 'anonymous' },
  'GET /v1/namespace/*': { need: namespaceRead, path: '/v1/namespace/default' },
  'PUT /v1/namespace': { need: 'management', body: { Name: 'made' } },
  'POST /v1/namespace': { need: 'management', body: { Name: 'made' } },
  'PUT /v1/namespace/*': { need: 'management', path: '/v1/namespace/made', body: {} },
  'POST /v1/namespace/*': { need: 'management', path: '/v1/namespace/made', body: {} },
  'DELETE /v1/namespace/*': { need: 'management', path: '/v1/namespace/made' },
  'GET /v1/status/leader': { need: 'anybody' },
  'GET /v1/status/peers': { need: 'anybody' },
  'GET /v1/regions': { need: 'anybody' },
  'GET /v1/agent/members': { need: ['node:read', 'node:write'] },
  'GET /v1/agent/servers': { need: agentRead },
  'PUT /v1/agent/servers': { need: ['agent:write'], path: '/v1/agent/servers?address=127.0.0.1:1' },
  'POST /v1/agent/servers': { need: ['agent:write'], path: '/v1/agent/servers?address=127.0.0.1:1' },
  'GET /v1/agent/self': { need: agentRead },
  'PUT /v1/agent/join': { need: 'anybody' },
  'POST /v1/agent/join': { need: 'anybody' },
  'PUT /v1/agent/force-leave': { need: ['agent:write'], path: '/v1/agent/force-leave?node=x' },
  'POST /v1/agent/force-leave': { need: ['agent:write'], path: '/v1/agent/force-leave?node=x' },
  'GET /v1/agent/health': { need: 'anybody' },
  'GET /v1/agent/host': { need: agentRead },
  'GET /v1/agent/schedulers': { need: agentRead },
  'GET /v1/agent/schedulers/config': { need: agentRead },
  'PUT /v1/agent/schedulers/config': { need: ['agent:write'], body: {} },
  'POST /v1/agent/schedulers/config': { need: ['agent:write'], body: {} },
  // These two take any method.
  '* /v1/agent/monitor': { need: agentRead },
  '* /v1/agent/pprof/*': { need: ['agent:write'], path: '/v1/agent/pprof/cmdline' },
  'GET /v1/metrics': { need: agentRead },
  'GET /v1/openapi.json': { need: 'anybody' },
  'GET /v1/acl/tokens': { need: 'management' },
  // Each of these tokens has a policy, and sees that one.
  'GET /v1/acl/policies': { need: 'any-token' },
  'GET /v1/acl/token/*': { need: 'management', path: '/v1/acl/token/unknown' },
  'GET /v1/acl/token/self': { need: 'any-token' },
  'PUT /v1/acl/token': { need: 'management', body: token },
  'POST /v1/acl/token': { need: 'management', body: token },
  'PUT /v1/acl/token/*': { need: 'management', path: '/v1/acl/token/unknown', body: token },
  'POST /v1/acl/token/*': { need: 'management', path: '/v1/acl/token/unknown', body: token },
  'DELETE /v1/acl/token/*': { need: 'management', path: '/v1/acl/token/unknown' },
  'GET /v1/acl/policy/*': { need: 'management', path: '/v1/acl/policy/unknown' },
  'PUT /v1/acl/policy/*': {
    need: 'management',
    path: '/v1/acl/policy/made',
    body: { Rules: rules['node:read'] },
  },
  'POST /v1/acl/policy/*': {
    need: 'management',
    path: '/v1/acl/policy/made',
    body: { Rules: rules['node:read'] },
  },
  'DELETE /v1/acl/policy/*': { need: 'management', path: '/v1/acl/policy/made' },
  'PUT /v1/acl/bootstrap': { need: 'anybody' },
  'POST /v1/acl/bootstrap': { need: 'anybody' },
};

/** Secrets by name: none, one of no token, and one for each right. */
const callers = ['', 'unknown', ...Object.keys(rules), 'mgmt'] as const;

function mayUse(caller: (typeof callers)[number], need: Need): boolean {
  if (need === 'anybody') return true;
  if (caller === 'unknown') return false;
  if (need === 'anonymous' || caller === 'mgmt') return true;
  if (need === 'any-token') return caller !== '';
  return need !== 'management' && need.some((right) => right === caller);
}

let cluster: AclCluster;
beforeAll(async () => {
  // Both modes, so that every route is there and answers; what they register as nodes is not of interest.
  const client = { ...defaultAgentConfig.client, enabled: true, register: false };
  cluster = await createAclCluster(rules, { config: { client, rpcPort: 4647, serfPort: 4648 } });
});
afterAll(() => cluster.agent.close());

/** The routes as the table names them. Those that take any method have one line. */
function registered(): readonly string[] {
  const methods = new Map<string, string[]>();
  for (const { method, url } of routesOf(cluster.agent.app)) {
    methods.set(url, [...(methods.get(url) ?? []), method]);
  }
  return [...methods].flatMap(([url, list]) =>
    list.includes('OPTIONS') ? [`* ${url}`] : list.map((method) => `${method} ${url}`),
  );
}

/** Only until the head of the answer is there: some answers have no end. */
async function statusOf(
  caller: string,
  method: string,
  url: string,
  body: object | undefined,
): Promise<string> {
  const secret = caller === 'unknown' ? '11111111-2222-3333-4444-555555555555' : cluster.tokens.get(caller);
  const response = await cluster.agent.app.inject({
    method: method as 'GET',
    url,
    headers: secret === undefined || secret === '' ? {} : { 'x-scheduler-token': secret },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    payloadAsStream: true,
  });
  if (response.statusCode !== 403) {
    response.stream().destroy();
    return String(response.statusCode);
  }
  const chunks = await response.stream().toArray();
  return `403 ${Buffer.concat(chunks as Buffer[]).toString('utf8')}`;
}

describe('every route', () => {
  it('has a right that is declared here', () => {
    expect(registered().filter((route) => !Object.hasOwn(declared, route))).toEqual([]);
    expect(registered().length).toBeGreaterThan(40);
  });

  it('is for those who have it, and for nobody else', async () => {
    for (const route of registered()) {
      const [method = '', url = ''] = route.split(' ');
      const cases = [declared[route], ...(declared[route]?.also ?? [])];
      for (const one of method === '*' ? ['GET', 'POST'] : [method]) {
        for (const each of cases) await tryEverybody(one, url, each);
      }
    }
  });
});

async function tryEverybody(method: string, url: string, route: Declared | undefined): Promise<void> {
  if (route === undefined) return;
  const { need, path = url, body, refusal } = route;
  for (const caller of callers) {
    const status = await statusOf(caller, method, path, body);
    // An unknown token is refused as such even where missing rights look like a missing row.
    const refused = refusal === undefined || caller === 'unknown' ? '403 Permission denied' : String(refusal);
    const what = `${method} ${path} as ${caller === '' ? 'nobody' : caller}`;
    if (mayUse(caller, need)) {
      expect.soft(status, what).toMatch(/^(?:200|307|400|404)$/);
      expect.soft(status, what).not.toBe(refused);
    } else expect.soft(status, what).toBe(refused);
  }
}
