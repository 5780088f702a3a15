import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { call, createTestAgent } from '../support/test-agent.js';

let agent: Agent;
beforeEach(async () => {
  agent = await createTestAgent();
});
afterEach(() => agent.close());

interface Group {
  readonly Name: string;
  readonly Count: number;
  readonly Tasks: readonly { readonly Name: string; readonly Resources: object }[];
}

function group(Name: string, Count: number, CPU: number, ...tasks: readonly string[]): object {
  return { Name, Count, Tasks: tasks.map((task) => ({ Name: task, Driver: 'd', Resources: { CPU } })) };
}

async function register(TaskGroups: readonly object[], more: object = {}): Promise<void> {
  const body = { Job: { ID: 'a', TaskGroups }, ...more };
  expect(await call(agent, '/v1/jobs', { method: 'PUT', body })).toMatchObject({ status: 200 });
}

/** Version, and of each group its count and the CPU of its tasks. */
async function stored(): Promise<unknown> {
  const job = (await call(agent, '/v1/job/a')).json() as { Version: number; TaskGroups: Group[] };
  const groups = job.TaskGroups.map(({ Name, Count, Tasks }) => [
    Name,
    Count,
    ...Tasks.map((task) => [task.Name, (task.Resources as { CPU: number }).CPU]),
  ]);
  return [job.Version, ...groups];
}

describe('a registration', () => {
  it('sets counts and resources as it says', async () => {
    await register([group('web', 5, 700, 't')]);
    await register([group('web', 1, 100, 't')]);
    expect(await stored()).toEqual([1, ['web', 1, ['t', 100]]]);
  });

  it('that preserves counts leaves those of the groups that are there already', async () => {
    await register([group('web', 5, 700, 't'), group('old', 2, 100, 't')]);
    await register([group('web', 1, 100, 't'), group('new', 3, 100, 't')], { PreserveCounts: true });
    expect(await stored()).toEqual([1, ['web', 5, ['t', 100]], ['new', 3, ['t', 100]]]);
  });

  it('that preserves resources leaves those of the tasks that are there already', async () => {
    await register([group('web', 5, 700, 't', 'old'), group('db', 1, 300, 't')]);
    await register([group('web', 1, 100, 't', 'new'), group('db', 2, 50, 't')], { PreserveResources: true });
    expect(await stored()).toEqual([1, ['web', 1, ['t', 700], ['new', 100]], ['db', 2, ['t', 300]]]);
  });

  it('is no new version when nothing is left of its changes', async () => {
    await register([group('web', 0, 700, 't')]);
    await register([group('web', 9, 100, 't')], { PreserveCounts: true, PreserveResources: true });
    expect(await stored()).toEqual([0, ['web', 0, ['t', 700]]]);
  });

  it('preserves nothing of a job that is not there', async () => {
    await register([group('web', 2, 100, 't')], { PreserveCounts: true, PreserveResources: true });
    expect(await stored()).toEqual([0, ['web', 2, ['t', 100]]]);
  });
});
