import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../../src/agent/settings/agent-config.js';
import { createAgents, type Agents } from '../../support/agents.js';
import { openResponse, type OpenResponse } from '../../../../scheduler-model/test/support/open-response.js';
import { shellTask } from '../../support/task-job.js';
import { until } from '../../../../scheduler-model/test/support/until.js';

let agents: Agents;
let origin = '';
let management = '';
let id = '';

interface TestReply {
  readonly status: number;
  readonly text: string;
}

async function send(token: string, path: string, body?: object): Promise<TestReply> {
  const response = await fetch(`${origin}${path}`, {
    headers: { 'x-scheduler-token': token },
    ...(body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function tokenFor(
  name: string,
  Rules: string,
): Promise<{ readonly AccessorID: string; readonly SecretID: string }> {
  await send(management, `/v1/acl/policy/${name}`, { Rules });
  const { text } = await send(management, '/v1/acl/token', { Name: name, Type: 'client', Policies: [name] });
  return JSON.parse(text) as { AccessorID: string; SecretID: string };
}

beforeAll(async () => {
  agents = createAgents();
  const client = { ...defaultAgentConfig.client, enabled: true, rawExec: true };
  ({ origin } = await agents.server({ acl: { enabled: true }, client }));
  const bootstrap = await send('', '/v1/acl/bootstrap', {});
  management = (JSON.parse(bootstrap.text) as { SecretID: string }).SecretID;
  const TaskGroups = [{ Name: 'g', Tasks: [shellTask('echo begun; while :; do sleep 0.1; done')] }];
  await send(management, '/v1/jobs', { Job: { ID: 'web', Datacenters: ['dc1'], TaskGroups } });
  await until(async () => {
    const { text } = await send(management, '/v1/job/web/allocations');
    const [one] = JSON.parse(text) as { ID: string; ClientStatus: string }[];
    id = one?.ID ?? '';
    return one?.ClientStatus === 'running';
  });
});
afterAll(() => agents.close());

const logs = (): string => `/v1/client/fs/logs/${id}?task=main&type=stdout&plain=true`;
const follow = (token: string, path: string): Promise<OpenResponse> =>
  openResponse(`${origin}${path}`, { headers: { 'x-scheduler-token': token } });

describe('what a task wrote', () => {
  it('is for those who may read it', async () => {
    const { SecretID: reader } = await tokenFor(
      'logs',
      'namespace "default" { capabilities = ["read-logs"] }',
    );
    const { SecretID: other } = await tokenFor(
      'other',
      'namespace "other" { capabilities = ["read-logs", "read-fs"] }',
    );
    const { SecretID: nobody } = await tokenFor('jobs', 'namespace "default" { policy = "read" }');
    const file = `/v1/client/fs/cat/${id}?path=alloc/logs/main.stdout.0`;
    expect(await send(reader, logs())).toEqual({ status: 200, text: 'begun\n' });
    expect(await send(management, file)).toEqual({ status: 200, text: 'begun\n' });
    for (const [token, path] of [
      [reader, file],
      [nobody, logs()],
      ['', logs()],
    ] as const) {
      expect(await send(token, path)).toEqual({ status: 403, text: 'Permission denied' });
    }
    expect(await send(other, logs())).toEqual({ status: 404, text: 'alloc not found' });
    expect(await send(other, file)).toEqual({ status: 404, text: 'alloc not found' });
  });

  it('is not read on with a token that is gone', async () => {
    const rules = 'namespace "default" { capabilities = ["read-logs", "read-fs"] }';
    const { AccessorID, SecretID } = await tokenFor('both', rules);
    const file = `/v1/client/fs/stream/${id}?path=alloc/logs/main.stdout.0&plain=true`;
    const mine = await Promise.all([follow(SecretID, `${logs()}&follow=true`), follow(SecretID, file)]);
    const others = await follow(management, `${logs()}&follow=true`);
    await Promise.all([...mine, others].map((one) => one.until((text) => text === 'begun\n')));
    const headers = { 'x-scheduler-token': management };
    await fetch(`${origin}/v1/acl/token/${AccessorID}`, { method: 'DELETE', headers });
    await until(() => mine.every((one) => one.isDone() === 'cut'));
    expect(others.isDone()).toBe('no');
    others.close();
  });
});
