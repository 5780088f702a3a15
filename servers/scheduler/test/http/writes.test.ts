import { beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { allocationShape } from '@tamis/scheduler-model/allocation.js';
import type { Input } from '@tamis/scheduler-model/row-type.js';
import { deploymentShape, type DeploymentInput } from '@tamis/scheduler-model/deployment.js';
import { getRow } from 'tamis/table';
import { createBaseAgent, minimalJob, nodeIds } from '../support/base-cluster.js';
import { call, type TestResponse } from '../support/test-agent.js';

let agent: Agent;

beforeEach(async () => {
  agent = await createBaseAgent();
  return () => agent.close();
});

function put(path: string, body?: unknown, method = 'PUT'): Promise<TestResponse> {
  return call(agent, path, { method, body });
}

function tables(): ReturnType<Agent['state']['snapshot']>['tables'] {
  return agent.state.snapshot().tables;
}

describe('a node', () => {
  const [first] = nodeIds;

  it.each(['PUT', 'POST'])('is made ineligible and eligible with %s', async (method) => {
    const path = `/v1/node/${first}/eligibility`;
    const response = await put(path, { NodeID: first, Eligibility: 'ineligible' }, method);
    const { index } = agent.state.snapshot();
    expect(response.json()).toEqual({
      EvalIDs: null,
      EvalCreateIndex: 0,
      NodeModifyIndex: index,
      Index: index,
    });
    expect(response.headers['x-scheduler-index']).toBe(String(index));
    expect(getRow(tables().nodes, first)).toMatchObject({
      SchedulingEligibility: 'ineligible',
      Events: [{ Message: 'Node marked as ineligible for scheduling' }],
    });
    expect((await put(path, { Eligibility: 'eligible' }, method)).status).toBe(200);
    expect(getRow(tables().nodes, first)?.SchedulingEligibility).toBe('eligible');
  });

  it('drains and stops draining', async () => {
    const path = `/v1/node/${first}/drain`;
    const DrainSpec = { Deadline: 3_600_000_000_000, IgnoreSystemJobs: true };
    expect((await put(path, { DrainSpec, Meta: { why: 'disk' } })).status).toBe(200);
    expect((await call(agent, `/v1/node/${first}`)).json()).toMatchObject({
      Drain: true,
      DrainStrategy: { ...DrainSpec, ForceDeadline: '2023-11-14T23:13:20.000Z' },
      SchedulingEligibility: 'ineligible',
      LastDrain: { Status: 'draining', Meta: { why: 'disk' } },
    });
    const refused = await put(`/v1/node/${first}/eligibility`, { Eligibility: 'eligible' });
    expect([refused.status, refused.text]).toEqual([
      400,
      "can not set node's scheduling eligibility to eligible while it is draining",
    ]);
    expect((await put(path, { DrainSpec: null, MarkEligible: true })).status).toBe(200);
    expect((await call(agent, `/v1/node/${first}`)).json()).toMatchObject({
      Drain: false,
      SchedulingEligibility: 'eligible',
      LastDrain: { Status: 'canceled' },
    });
  });

  it('is evaluated with the jobs that concern it, and purged', async () => {
    await put('/v1/jobs', { Job: minimalJob('everywhere', { Type: 'system' }) });
    const evaluated = (await put(`/v1/node/${first}/evaluate`)).json() as { EvalIDs: string[] };
    expect(evaluated.EvalIDs).toHaveLength(1);
    expect(getRow(tables().evaluations, evaluated.EvalIDs[0] ?? '')).toMatchObject({
      JobID: 'everywhere',
      TriggeredBy: 'node-update',
      NodeID: first,
    });
    expect((await put(`/v1/node/${first}/purge`)).status).toBe(200);
    expect((await call(agent, `/v1/node/${first}`)).status).toBe(404);
  });

  it.each([
    [`/v1/node/${nodeIds[0]}/eligibility`, {}, 400, 'invalid scheduling eligibility ""'],
    [`/v1/node/${nodeIds[0]}/eligibility`, undefined, 400, 'Request body is empty'],
    [
      `/v1/node/${nodeIds[0]}/eligibility`,
      { NodeID: 'x', Eligibility: 'eligible' },
      400,
      'Node ID does not match',
    ],
    [`/v1/node/${nodeIds[0]}/drain`, { DrainSpec: { Deadline: 'long' } }, 400, /DrainSpec.Deadline/],
    ['/v1/node/nope/drain', { DrainSpec: {} }, 404, 'node not found'],
    ['/v1/node/nope/purge', undefined, 404, 'node not found'],
    ['/v1/node/nope/evaluate', undefined, 404, 'node not found'],
    [`/v1/node/${nodeIds[0]}`, {}, 405, 'Invalid method'],
  ])('refuses PUT %s %j', async (path, body, status, text) => {
    const { index } = agent.state.snapshot();
    const response = await put(path, body);
    expect(response.status).toBe(status);
    expect(response.text).toMatch(text);
    expect(agent.state.snapshot().index).toBe(index);
  });

  it('does not read the paths of its writes', async () => {
    expect((await call(agent, `/v1/node/${first}/drain`)).status).toBe(405);
  });
});

describe('a job', () => {
  it('is evaluated again', async () => {
    const response = (await put('/v1/job/alpha/evaluate')).json() as { EvalID: string };
    const { index } = agent.state.snapshot();
    expect(response).toMatchObject({ EvalCreateIndex: index, Index: index, Warnings: '' });
    expect(getRow(tables().evaluations, response.EvalID)).toMatchObject({
      JobID: 'alpha',
      Status: 'pending',
    });
  });

  it('is dispatched once for a token in the body, under a prefix of its own', async () => {
    await put('/v1/jobs', { Job: minimalJob('prefixed', { Type: 'batch', ParameterizedJob: {} }) });
    const dispatch = (body: object, query = '') => put(`/v1/job/prefixed/dispatch${query}`, body);
    const first = (await dispatch({ IdempotencyToken: 'a', IdPrefixTemplate: 'nightly' })).json();
    const { DispatchedJobID } = first as { DispatchedJobID: string };
    expect(DispatchedJobID).toMatch(/^prefixed\/dispatch-nightly-1700000000-[0-9a-f]{8}$/);
    expect((await dispatch({ IdempotencyToken: 'a' })).json()).toMatchObject({ DispatchedJobID, EvalID: '' });
    expect((await dispatch({}, '?idempotency_token=a')).json()).toMatchObject({ DispatchedJobID });
    expect((await dispatch({ IdempotencyToken: 'b' })).json()).not.toMatchObject({ DispatchedJobID });
    for (const [body, text] of [
      [{ IdempotencyToken: 'b' }, 'IdempotencyToken must be the idempotency_token of the query, got "b"'],
      [{ IdPrefixTemplate: 'a b' }, 'IdPrefixTemplate: Job ID contains a space'],
      [{ IdPrefixTemplate: 'x'.repeat(1_024) }, 'IdPrefixTemplate: Job ID is longer than 1024 bytes'],
    ] as const) {
      const refused = await dispatch(body, '?idempotency_token=c');
      expect([refused.status, refused.text]).toEqual([400, text]);
    }
  });

  it('is dispatched with a payload and meta, and once for each token', async () => {
    const ParameterizedJob = { MetaRequired: ['input'], MetaOptional: ['region'] };
    await put('/v1/jobs', {
      Job: minimalJob('convert', { Type: 'batch', ParameterizedJob, Meta: { team: 'a' } }),
    });
    const body = { Payload: 'aGVsbG8=', Meta: { input: 'x' } };
    const path = '/v1/job/convert/dispatch?idempotency_token=t1';
    const first = (await put(path, body)).json() as { DispatchedJobID: string; EvalID: string };
    expect(first.DispatchedJobID).toMatch(/^convert\/dispatch-1700000000-[0-9a-f]{8}$/);
    expect(getRow(tables().jobs, `default.${first.DispatchedJobID}`)).toMatchObject({
      ParentID: 'convert',
      Dispatched: true,
      Payload: 'aGVsbG8=',
      Meta: { team: 'a', input: 'x' },
      Status: 'pending',
      Version: 0,
    });
    expect(getRow(tables().evaluations, first.EvalID)?.JobID).toBe(first.DispatchedJobID);
    const { index } = agent.state.snapshot();
    const second = (await put(path, body)).json();
    expect(second).toMatchObject({ DispatchedJobID: first.DispatchedJobID, EvalID: '' });
    expect(agent.state.snapshot().index).toBe(index);
    expect((await call(agent, '/v1/job/convert/summary')).json()).toMatchObject({
      Children: { Pending: 1, Running: 0, Dead: 0 },
    });
    const child = `/v1/job/${encodeURIComponent(first.DispatchedJobID)}`;
    await call(agent, child, { method: 'DELETE' });
    expect((await call(agent, '/v1/job/convert/summary')).json()).toMatchObject({
      Children: { Pending: 0, Running: 0, Dead: 1 },
    });
    await call(agent, `${child}?purge=true`, { method: 'DELETE' });
    expect((await call(agent, '/v1/job/convert/summary')).json()).toMatchObject({
      Children: { Pending: 0, Running: 0, Dead: 0 },
    });
  });

  const large = Buffer.alloc(16 * 1024 + 1).toString('base64');
  it.each([
    ['optional', {}, 'Dispatch did not provide required meta keys: [input]'],
    [
      'optional',
      { Meta: { input: 'x', a: '', b: '' } },
      'Dispatch request included unpermitted metadata keys: [a b]',
    ],
    ['required', { Meta: { input: 'x' } }, 'Payload is not provided but required by parameterized job'],
    [
      'forbidden',
      { Meta: { input: 'x' }, Payload: 'YQ==' },
      'Payload provided but forbidden by parameterized job',
    ],
    ['optional', { Meta: { input: 'x' }, Payload: large }, 'Payload exceeds maximum size; 16385 > 16384'],
    ['optional', { Meta: { input: 'x' }, Payload: '*' }, /^Payload: expected base64 text/],
    ['optional', { JobID: 'other' }, 'Job ID does not match name'],
  ])('with %s payload does not take %j', async (Payload, body, text) => {
    const ParameterizedJob = { Payload, MetaRequired: ['input'] };
    await put('/v1/jobs', { Job: minimalJob('convert', { Type: 'batch', ParameterizedJob }) });
    const response = await put('/v1/job/convert/dispatch', body);
    expect(response.status).toBe(400);
    expect(response.text).toMatch(text);
  });

  it('with a timetable is launched by force, also twice within a second', async () => {
    await put('/v1/jobs', { Job: minimalJob('nightly', { Type: 'batch', Periodic: { Spec: '@daily' } }) });
    const first = (await put('/v1/job/nightly/periodic/force')).json() as { EvalID: string };
    await put('/v1/job/nightly/periodic/force');
    expect(getRow(tables().evaluations, first.EvalID)).toMatchObject({
      JobID: 'nightly/periodic-1700000000',
      TriggeredBy: 'periodic-job',
    });
    expect(getRow(tables().jobs, 'default.nightly/periodic-1700000001')).toMatchObject({
      ParentID: 'nightly',
      Periodic: null,
    });
  });

  it.each([
    ['/v1/job/nope/evaluate', 404, 'job not found'],
    ['/v1/job/nope/dispatch', 404, 'job not found'],
    ['/v1/job/alpha/dispatch', 400, 'Specified job "alpha" is not a parameterized job'],
    ['/v1/job/nope/periodic/force', 404, 'job not found'],
    ['/v1/job/alpha/periodic/force', 400, "can't force launch non-periodic job"],
  ])('refuses PUT %s', async (path, status, text) => {
    const { index } = agent.state.snapshot();
    const response = await put(path);
    expect([response.status, response.text]).toEqual([status, text]);
    expect(agent.state.snapshot().index).toBe(index);
  });

  it('does not read the paths of its writes, and does not delete them', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await call(agent, '/v1/job/alpha/evaluate', { method });
      expect([response.status, response.text]).toEqual([405, 'Invalid method']);
    }
  });
});

describe('a deployment', () => {
  const id = '00000000-0000-4000-8000-0000000000d1';
  const canary = '00000000-0000-4000-8000-0000000000a1';

  beforeEach(async () => {
    await agent.state.write((transaction) => {
      const group = { DesiredTotal: 2, DesiredCanaries: 1, PlacedCanaries: [canary], ProgressDeadline: 1 };
      const given: DeploymentInput = {
        ID: id,
        JobID: 'alpha',
        Namespace: 'default',
        Status: 'running',
        TaskGroups: { web: group },
        CreateIndex: 1,
      };
      transaction.put('deployments', completeShape(deploymentShape, given));
      const row: Input<typeof allocationShape> = {
        ...{ ID: canary, Namespace: 'default', JobID: 'alpha', TaskGroup: 'web', DeploymentID: id },
        ...{ DesiredStatus: 'run', ClientStatus: 'running', CreateIndex: 1 },
        DeploymentStatus: { Canary: true },
      };
      transaction.put('allocations', completeShape(allocationShape, row));
    });
  });

  function stored(): unknown {
    return getRow(tables().deployments, id);
  }

  it('is promoted once its canaries are healthy', async () => {
    const early = await put(`/v1/deployment/promote/${id}`, { DeploymentID: id, All: true });
    expect([early.status, early.text]).toEqual([
      400,
      '1 error occurred:\n\t* Task group "web" has 0/1 healthy allocations\n\n',
    ]);
    const health = await put(`/v1/deployment/allocation-health/${id}`, { HealthyAllocationIDs: [canary] });
    expect(health.status).toBe(200);
    expect(stored()).toMatchObject({ TaskGroups: { web: { HealthyAllocs: 1 } } });
    const response = await put(`/v1/deployment/promote/${id}`, { All: true });
    const { index } = agent.state.snapshot();
    expect(response.json()).toMatchObject({
      EvalCreateIndex: index,
      DeploymentModifyIndex: index,
      RevertedJobVersion: null,
      Index: index,
    });
    expect(stored()).toMatchObject({ TaskGroups: { web: { Promoted: true } } });
    expect((await put(`/v1/deployment/promote/${id}`, { All: true })).text).toBe('no canaries to promote');
  });

  it('is paused, goes on and is failed', async () => {
    const paused = (await put(`/v1/deployment/pause/${id}`, { Pause: true })).json();
    expect(paused).toMatchObject({ EvalID: '', EvalCreateIndex: 0 });
    expect(stored()).toMatchObject({ Status: 'paused', StatusDescription: 'Deployment is paused' });
    await put(`/v1/deployment/pause/${id}`, { Pause: false });
    expect(stored()).toMatchObject({ Status: 'running', StatusDescription: 'Deployment is running' });
    expect((await put(`/v1/deployment/fail/${id}`)).status).toBe(200);
    expect(stored()).toMatchObject({ Status: 'failed', StatusDescription: 'Deployment marked as failed' });
    const late = await put(`/v1/deployment/fail/${id}`);
    expect([late.status, late.text]).toEqual([400, "can't fail terminal deployment"]);
  });

  it('fails with an unhealthy allocation and returns to the last stable version', async () => {
    await agent.state.write((transaction) => {
      const first = getRow(transaction.tables.job_versions, 'default.alpha 00000000000000000000')!;
      transaction.put('job_versions', { ...first, Stable: true });
      const job = { ...transaction.get('jobs', 'default.alpha')!, Version: 1, Priority: 60 };
      transaction.put('jobs', job);
      const deployment = transaction.get('deployments', id)!;
      const web = { ...deployment.TaskGroups!['web']!, AutoRevert: true };
      transaction.put('deployments', { ...deployment, JobVersion: 1, TaskGroups: { web } });
    });
    const response = await put(`/v1/deployment/allocation-health/${id}`, {
      UnhealthyAllocationIDs: [canary],
    });
    expect(response.json()).toMatchObject({ RevertedJobVersion: 2 });
    expect(stored()).toMatchObject({
      Status: 'failed',
      StatusDescription: 'Failed due to unhealthy allocations - rolling back to job version 0',
    });
    expect(getRow(tables().jobs, 'default.alpha')).toMatchObject({ Version: 2, Priority: 50 });
  });

  it.each([
    ['promote', {}, 400, 'either All or Groups must say what to promote'],
    ['promote', { All: true, Groups: ['web'] }, 400, 'All and Groups exclude each other'],
    ['promote', undefined, 400, 'Request body is empty'],
    ['pause', { DeploymentID: 'other', Pause: true }, 400, 'Deployment ID does not match'],
    ['allocation-health', {}, 400, 'must specify at least one healthy/unhealthy allocation ID'],
    ['allocation-health', { HealthyAllocationIDs: ['x'] }, 400, 'unknown alloc "x"'],
  ])('refuses %s %j', async (word, body, status, text) => {
    const { index } = agent.state.snapshot();
    const response = await put(`/v1/deployment/${word}/${id}`, body);
    expect([response.status, response.text]).toEqual([status, text]);
    expect(agent.state.snapshot().index).toBe(index);
  });

  it('that does not exist is not found, and the words are no ids', async () => {
    const missing = await put('/v1/deployment/fail/nope');
    expect([missing.status, missing.text]).toEqual([404, 'deployment not found']);
    expect((await call(agent, `/v1/deployment/fail/${id}`)).status).toBe(405);
  });
});
