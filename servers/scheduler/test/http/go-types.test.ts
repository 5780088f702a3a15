import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { allocationShape } from '@tamis/scheduler-model/allocation.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { writeAllocations } from '@tamis/scheduler-state/state/write-allocations.js';
import { decodeProblem } from '../../../scheduler-model/test/support/go-decode.js';
import { createBaseAgent, minimalJob, nodeIds } from '../support/base-cluster.js';
import { call } from '../support/test-agent.js';

describe('the responses of lists and reads', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await createBaseAgent();
    const row = completeShape(allocationShape, {
      ...{ ID: '11111111-0000-4000-8000-000000000001', Namespace: 'default', JobID: 'web', TaskGroup: 'g' },
      ...{ NodeID: nodeIds[0], ClientStatus: 'running', DesiredStatus: 'run' },
      DeploymentStatus: { Healthy: true, Timestamp: '2026-01-01T00:00:00Z', Canary: false, ModifyIndex: 5 },
      TaskStates: { t: { State: 'running', Failed: false, Restarts: 1, StartedAt: '2026-01-01T00:00:00Z' } },
    });
    await agent.state.write((transaction) => writeAllocations(transaction, [row]));
  });
  afterAll(() => agent.close());

  const first = async (list: string): Promise<string> => {
    const rows = (await call(agent, `${list}?namespace=*`)).json() as {
      readonly ID: string;
      readonly Namespace: string;
    }[];
    return `${rows[0]?.ID ?? ''}?namespace=${rows[0]?.Namespace ?? ''}`;
  };

  it.each([
    ['/v1/jobs?namespace=*&meta=true', '[]*JobListStub'],
    ['/v1/nodes?resources=true&os=true', '[]*NodeListStub'],
    ['/v1/allocations?namespace=*&resources=true', '[]*AllocationListStub'],
    ['/v1/evaluations?namespace=*', '[]*Evaluation'],
    ['/v1/deployments?namespace=*', '[]*Deployment'],
    ['/v1/namespaces', '[]*Namespace'],
    ['/v1/namespace/default', 'Namespace'],
    [`/v1/node/${nodeIds[0]}`, 'Node'],
    [`/v1/node/${nodeIds[0]}/allocations`, '[]*Allocation'],
    ['/v1/agent/self', 'AgentSelf'],
    ['/v1/agent/members', 'ServerMembers'],
    ['/v1/agent/health', 'AgentHealthResponse'],
  ])('%s decodes as %s', async (path, type) => {
    const response = await call(agent, path);
    expect(response.status).toBe(200);
    expect(decodeProblem(type, response.json())).toBeNull();
  });

  it.each([
    ['/v1/jobs', '/v1/job/', 'Job'],
    ['/v1/allocations', '/v1/allocation/', 'Allocation'],
    ['/v1/evaluations', '/v1/evaluation/', 'Evaluation'],
    ['/v1/deployments', '/v1/deployment/', 'Deployment'],
  ])('the first of %s decodes as %s ID', async (list, path, type) => {
    const response = await call(agent, `${path}${await first(list)}`);
    expect(response.status).toBe(200);
    expect(decodeProblem(type, response.json())).toBeNull();
  });

  it.each([
    ['allocations', '[]*AllocationListStub'],
    ['evaluations', '[]*Evaluation'],
    ['deployments', '[]*Deployment'],
    ['summary', 'JobSummary'],
    ['scale', 'JobScaleStatusResponse'],
  ])('%s of a job decode as %s', async (part, type) => {
    const [id = '', query = ''] = (await first('/v1/jobs')).split('?');
    const response = await call(agent, `/v1/job/${id}/${part}?${query}`);
    expect(response.status).toBe(200);
    expect(decodeProblem(type, response.json())).toBeNull();
  });

  it('the plan of a job decodes as JobPlanResponse', async () => {
    const body = { Job: minimalJob('new'), Diff: true };
    const response = await call(agent, '/v1/job/new/plan', { method: 'PUT', body });
    expect(response.status).toBe(200);
    expect(decodeProblem('JobPlanResponse', response.json())).toBeNull();
  });
});
