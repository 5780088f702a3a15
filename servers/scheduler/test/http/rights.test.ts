import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { docsRoutes } from '../../src/api/pages/docs/docs-routes.js';
import { frontPageRoutes } from '../../src/api/pages/front-page/front-page-routes.js';
import { rightToRows, type NeededRight } from '../../src/api/kernel/rights.js';
import type { RouteFacts } from '../../src/api/kernel/route.js';
import { interfaceRoutes } from '../../src/api/routes.js';
import { aclIds, createAclCluster, type AclCluster } from '../support/acl-cluster.js';

/** A token for each right that a route may need. The namespace is `default`. */
const rules = {
  'list-jobs': 'namespace "default" { capabilities = ["list-jobs"] }',
  'read-job': 'namespace "default" { capabilities = ["read-job"] }',
  'submit-job': 'namespace "default" { capabilities = ["submit-job"] }',
  'register-job': 'namespace "default" { capabilities = ["register-job"] }',
  'dispatch-job': 'namespace "default" { capabilities = ["dispatch-job"] }',
  'deregister-job': 'namespace "default" { capabilities = ["deregister-job"] }',
  'scale-job': 'namespace "default" { capabilities = ["scale-job"] }',
  'read-job-scaling': 'namespace "default" { capabilities = ["read-job-scaling"] }',
  'node:read': 'node { policy = "read" }',
  'node:write': 'node { policy = "write" }',
  'agent:read': 'agent { policy = "read" }',
  'agent:write': 'agent { policy = "write" }',
  'read-logs': 'namespace "default" { capabilities = ["read-logs"] }',
  'read-fs': 'namespace "default" { capabilities = ["read-fs"] }',
  'alloc-lifecycle': 'namespace "default" { capabilities = ["alloc-lifecycle"] }',
  'operator:write': 'operator { policy = "write" }',
};
type Right = keyof typeof rules;

/**
 * `anybody`: tokens are not looked at. `anonymous`: no token is needed, and one that is given must exist. `any-token`:
 * whatever it may do.
 */
type Need = readonly Right[] | 'anybody' | 'anonymous' | 'any-token' | 'management';

/** Who may do what needs a right of this name. */
const owners: Partial<Record<NeededRight, Need>> = {
  nothing: 'anybody',
  'a token': 'any-token',
  management: 'management',
  'namespace:list-jobs': ['list-jobs'],
  'namespace:read-job': ['read-job'],
  'namespace:submit-job': ['submit-job'],
  'namespace:dispatch-job': ['dispatch-job'],
  'namespace:alloc-lifecycle': ['alloc-lifecycle'],
  // Who may read all files may read the logs among them.
  'namespace:read-logs': ['read-logs', 'read-fs'],
  'namespace:read-fs': ['read-fs'],
  // Of each topic; the requested one shows jobs.
  'the right to read what each topic shows': ['read-job'],
  'node:read': ['node:read', 'node:write'],
  // No token here has both.
  'node:read and namespace:read-job': [],
  'node:write': ['node:write'],
  'agent:read': ['agent:read', 'agent:write'],
  'agent:write': ['agent:write'],
  'any right on the namespace': [
    ...(['list-jobs', 'read-job', 'submit-job'] as const),
    ...(['register-job', 'dispatch-job', 'deregister-job', 'alloc-lifecycle'] as const),
    ...(['read-logs', 'read-fs', 'scale-job', 'read-job-scaling'] as const),
  ],
};

/** Routes that others may use too. */
const alsoFor: Readonly<Record<string, Need>> = {
  'put /v1/jobs': ['submit-job', 'register-job'],
  'put /v1/job/{job_id}': ['submit-job', 'register-job'],
  'put /v1/job/{job_id}/plan': ['submit-job', 'register-job'],
  'delete /v1/job/{job_id}': ['submit-job', 'deregister-job'],
  'put /v1/job/{job_id}/periodic/force': ['submit-job', 'dispatch-job'],
  'put /v1/job/{job_id}/scale': ['submit-job', 'scale-job'],
  'get /v1/job/{job_id}/scale': ['read-job', 'read-job-scaling'],
  // Empty for a caller who may see none.
  'get /v1/namespaces': 'anonymous',
  // Each of these tokens has a policy, and sees that one.
  'get /v1/acl/policies': 'any-token',
};

const [evaluation] = aclIds.evaluations;
const [deployment] = aclIds.deployments;
const [allocation] = aclIds.allocations;

/** The values of the names in the paths. */
const ids: Readonly<Record<string, string>> = {
  job_id: 'alpha',
  node_id: aclIds.node,
  alloc_id: allocation,
  eval_id: evaluation,
  deployment_id: deployment,
  accessor_id: 'unknown',
  profile: 'cmdline',
  name: 'default',
};

/** Paths that need something else, so that they go wrong for no other reason. */
const paths: Readonly<Record<string, string>> = {
  'put /v1/node/{node_id}/purge': '/v1/node/unknown/purge',
  'put /v1/agent/servers': '/v1/agent/servers?address=127.0.0.1:1',
  'put /v1/agent/join': '/v1/agent/join?address=127.0.0.1:1',
  'put /v1/agent/force-leave': '/v1/agent/force-leave?node=x',
  'put /v1/namespace/{name}': '/v1/namespace/made',
  'delete /v1/namespace/{name}': '/v1/namespace/made',
  'get /v1/acl/policy/{name}': '/v1/acl/policy/unknown',
  'get /v1/event/stream': '/v1/event/stream?topic=Job',
  ...Object.fromEntries(
    ['stat', 'cat', 'readat', 'stream'].map((word) => [
      `get /v1/client/fs/${word}/{alloc_id}`,
      `/v1/client/fs/${word}/${allocation}?path=x`,
    ]),
  ),
  'get /v1/client/fs/logs/{alloc_id}': `/v1/client/fs/logs/${allocation}?task=t&type=stdout`,
  'put /v1/acl/policy/{name}': '/v1/acl/policy/made',
  'delete /v1/acl/policy/{name}': '/v1/acl/policy/made',
};

const Job = {
  ...{ ID: 'alpha', Datacenters: ['dc1'] },
  TaskGroups: [{ Name: 'g', Tasks: [{ Name: 't', Driver: 'exec' }] }],
};

/** Bodies by the schemas of the document. Of what they change nothing needs to be there. */
const bodies: Readonly<Record<string, object>> = {
  JobRegistration: { Job },
  JobPlanRequest: { Job },
  JobReversion: { JobVersion: 99 },
  JobScaling: { Target: { Group: 'none' } },
  JobStability: { JobVersion: 99 },
  TaskSignal: { Signal: 'SIGHUP' },
  NodeEligibility: { Eligibility: 'eligible' },
  DeploymentPromotion: { All: true },
  Namespace: { Name: 'made' },
  AclTokenRequest: { Type: 'client', Policies: ['x'] },
  AclPolicyRequest: { Rules: rules['node:read'] },
};

/** A row that is hidden from a caller is reported as missing. */
const hidden: ReadonlySet<string> = new Set(['get /v1/allocation/{alloc_id}']);

const routes: readonly RouteFacts[] = [...interfaceRoutes, ...frontPageRoutes(null), ...docsRoutes];

/** The right of every route, written down once more: who loosens one has to say so here. */
const declaredRights: Partial<Record<NeededRight, readonly string[]>> = {
  'namespace:list-jobs': ['get /v1/jobs'],
  'namespace:submit-job': [
    'put /v1/jobs',
    'put /v1/job/{job_id}',
    'delete /v1/job/{job_id}',
    'put /v1/job/{job_id}/evaluate',
    'put /v1/job/{job_id}/periodic/force',
    'put /v1/job/{job_id}/plan',
    'put /v1/job/{job_id}/revert',
    'put /v1/job/{job_id}/stable',
    'put /v1/job/{job_id}/scale',
    'put /v1/deployment/promote/{deployment_id}',
    'put /v1/deployment/pause/{deployment_id}',
    'put /v1/deployment/fail/{deployment_id}',
    'put /v1/deployment/allocation-health/{deployment_id}',
  ],
  'namespace:read-job': [
    'get /v1/job/{job_id}',
    'get /v1/job/{job_id}/summary',
    'get /v1/job/{job_id}/versions',
    'get /v1/job/{job_id}/allocations',
    'get /v1/job/{job_id}/evaluations',
    'get /v1/job/{job_id}/deployments',
    'get /v1/job/{job_id}/deployment',
    'get /v1/job/{job_id}/scale',
    'get /v1/allocations',
    'get /v1/allocation/{alloc_id}',
    'get /v1/evaluations',
    'get /v1/evaluation/{eval_id}',
    'get /v1/evaluation/{eval_id}/allocations',
    'get /v1/deployments',
    'get /v1/deployment/{deployment_id}',
    'get /v1/deployment/allocations/{deployment_id}',
    'put /v1/validate/job',
  ],
  'namespace:alloc-lifecycle': [
    'put /v1/allocation/{alloc_id}/stop',
    'put /v1/client/allocation/{alloc_id}/restart',
    'put /v1/client/allocation/{alloc_id}/signal',
  ],
  'namespace:read-logs': ['get /v1/client/fs/logs/{alloc_id}'],
  'namespace:read-fs': ['ls', 'stat', 'cat', 'readat', 'stream'].map(
    (word) => `get /v1/client/fs/${word}/{alloc_id}`,
  ),
  'the right to read what each topic shows': ['get /v1/event/stream'],
  'namespace:dispatch-job': ['put /v1/job/{job_id}/dispatch'],
  'node:read': [
    'get /v1/nodes',
    'get /v1/nodes/use',
    'get /v1/node/{node_id}',
    'get /v1/node/{node_id}/allocations',
    'get /v1/agent/members',
  ],
  'node:read and namespace:read-job': ['get /v1/operator/export'],
  'node:write': [
    'put /v1/node/{node_id}/eligibility',
    'put /v1/node/{node_id}/drain',
    'put /v1/node/{node_id}/evaluate',
    'put /v1/node/{node_id}/purge',
  ],
  'any right on the namespace': ['get /v1/namespaces', 'get /v1/namespace/{name}'],
  management: [
    'put /v1/namespace',
    'put /v1/namespace/{name}',
    'delete /v1/namespace/{name}',
    'get /v1/acl/tokens',
    'put /v1/acl/token',
    'get /v1/acl/token/{accessor_id}',
    'put /v1/acl/token/{accessor_id}',
    'delete /v1/acl/token/{accessor_id}',
    'get /v1/acl/policies',
    'get /v1/acl/policy/{name}',
    'put /v1/acl/policy/{name}',
    'delete /v1/acl/policy/{name}',
  ],
  nothing: [
    'put /v1/acl/bootstrap',
    'get /v1/status/leader',
    'get /v1/status/peers',
    'get /v1/regions',
    'put /v1/agent/join',
    'get /v1/agent/health',
    'get /v1/openapi.json',
    'get /',
    'get /docs',
    'get /docs/',
    'get /docs/{path}',
    'get /ui',
    'get /ui/',
    'get /ui/page.css',
    'get /ui/plain',
    'get /ui/{path}',
  ],
  'a token': ['get /v1/acl/token/self', 'get /v1/acl/policy/self'],
  'agent:write': [
    'put /v1/agent/force-leave',
    'put /v1/agent/servers',
    'put /v1/agent/schedulers/config',
    'any /v1/agent/pprof/{profile}',
  ],
  'agent:read': [
    'get /v1/agent/servers',
    'get /v1/agent/self',
    'get /v1/agent/host',
    'get /v1/agent/schedulers',
    'get /v1/agent/schedulers/config',
    'any /v1/agent/monitor',
    'get /v1/metrics',
  ],
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
  // Both modes, so that every route is there and responds; what they register as nodes does not matter.
  const client = { ...defaultAgentConfig.client, enabled: true, register: false };
  cluster = await createAclCluster(rules, { config: { client, rpcPort: 4647, serfPort: 4648 } });
});
afterAll(() => cluster.agent.close());

/** Only until the head of the response is there: some responses have no end. */
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

const verbs = { get: ['GET'], put: ['PUT', 'POST'], delete: ['DELETE'], any: ['GET', 'POST'] } as const;

async function tryEverybody(route: RouteFacts): Promise<void> {
  const key = `${route.method} ${route.path}`;
  const need = alsoFor[key] ?? owners[route.right.name];
  const path = paths[key] ?? route.path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? 'x');
  const body = route.body === null ? undefined : (bodies[route.body.schema] ?? {});
  if (need === undefined) throw new Error(`nobody is told to have ${route.right.name}`);
  for (const method of verbs[route.method]) {
    for (const caller of callers) {
      const status = await statusOf(caller, method, path, body);
      // An unknown token is refused as such even where missing rights look like a missing row.
      const refused = hidden.has(key) && caller !== 'unknown' ? '404' : '403 Permission denied';
      const what = `${method} ${path} as ${caller === '' ? 'nobody' : caller}`;
      if (mayUse(caller, need)) {
        expect.soft(status, what).toMatch(/^(?:200|307|400|404)$/);
        expect.soft(status, what).not.toBe(refused);
      } else expect.soft(status, what).toBe(refused);
    }
  }
}

describe('every route', () => {
  it.each(Object.entries(declaredRights))('that needs %s is declared so', (right, expected) => {
    const found = routes.filter((route) => route.right.name === right);
    expect(found.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(expected.toSorted());
  });

  it('has a reviewed right', () => {
    expect([...new Set(routes.map(({ right }) => right.name))].toSorted()).toEqual(
      Object.keys(declaredRights).toSorted(),
    );
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s requires its right, without exceptions',
    (_name, route) => tryEverybody(route),
  );
});

it('rejects a right to rows that decides later: its refusal would follow the response', () => {
  const late = { name: 'management', grant: () => Promise.reject(new Error('refused')) } as const;
  // @ts-expect-error a promise is no rows
  expect(rightToRows(late).name).toBe('management');
});
