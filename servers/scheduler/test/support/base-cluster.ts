import type { Agent } from '../../src/agent/agent.js';
import { call, createTestAgent, type TestOptions } from './test-agent.js';

const group = {
  Name: 'web',
  Count: 1,
  Tasks: [{ Name: 't', Driver: 'raw_exec', Config: { command: '/bin/sleep' } }],
};

export function minimalJob(ID: string, more: object = {}): object {
  return { ID, Name: ID, Datacenters: ['dc1'], TaskGroups: [group], ...more };
}

export const nodeIds = [
  '1a2b3c4d-0000-4000-8000-000000000001',
  'f7476465-0000-4000-8000-000000000002',
] as const;

const nodes = [
  {
    ID: nodeIds[0],
    SecretID: 'set-but-never-shown',
    Name: 'n1',
    Datacenter: 'dc1',
    HTTPAddr: '10.0.0.1:4646',
    Status: 'ready',
    SchedulingEligibility: 'eligible',
    Attributes: { 'kernel.name': 'linux', 'os.name': 'debian', 'nomad.version': '1.9.0' },
    CreateIndex: 6,
    ModifyIndex: 9,
  },
  {
    ID: nodeIds[1],
    Name: 'n2',
    Datacenter: 'dc2',
    HTTPAddr: '10.0.0.2:4646',
    Status: 'down',
    SchedulingEligibility: 'ineligible',
    Attributes: { 'kernel.name': 'linux', 'os.name': 'alpine', 'scheduler.version': '1.9.3' },
    CreateIndex: 8,
    ModifyIndex: 20,
  },
];

const cache = {
  DesiredTotal: 1,
  PlacedCanaries: null,
  ProgressDeadline: 600_000_000_000,
  RequireProgressBy: null,
};

const deployments = [
  {
    ID: '58fd0616-ce64-414b-a917-03d0ab5af67e',
    JobID: 'charlie',
    Namespace: 'default',
    Status: 'cancelled',
    CreateIndex: 108,
    ModifyIndex: 110,
    TaskGroups: { cache },
  },
  {
    ID: '9f18b48c-b33b-4e96-8640-71e3f3000242',
    JobID: 'bravo',
    Namespace: 'default',
    Status: 'successful',
    CreateIndex: 43,
    ModifyIndex: 49,
    TaskGroups: { cache: { ...cache, HealthyAllocs: 1, PlacedAllocs: 1 } },
  },
];

/**
 * A small cluster: nodes n1 and n2, two deployments, and the jobs alpha, bravo, charlie in `default` and delta in
 * `apps`, registered over HTTP.
 */
export async function createBaseAgent(options: TestOptions = {}): Promise<Agent> {
  const lines = [
    { kind: 'namespace', object: { Name: 'apps' } },
    ...nodes.map((object) => ({ kind: 'node', object })),
    ...deployments.map((object) => ({ kind: 'deployment', object })),
  ];
  const agent = await createTestAgent({ lines, ...options });
  const jobs = [
    minimalJob('alpha', { Meta: { owner: 'ops' } }),
    minimalJob('bravo', { Type: 'batch', Priority: 70, Datacenters: ['dc1', 'dc2'] }),
    minimalJob('charlie'),
    minimalJob('delta', { Namespace: 'apps' }),
  ];
  for (const Job of jobs) await call(agent, '/v1/jobs', { method: 'PUT', body: { Job } });
  return agent;
}
