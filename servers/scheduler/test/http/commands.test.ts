import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { createAgents, type Agents } from '../support/agents.js';
import { createApiClient, type ApiClient } from '../support/api-client.js';
import { openResponse } from '../../../scheduler-model/test/support/open-response.js';
import { runTasks, shellTask } from '../support/task-job.js';
import { until } from '../../../scheduler-model/test/support/until.js';

interface Allocation {
  readonly ClientStatus: string;
  readonly TaskStates: Readonly<Record<string, TaskState>>;
}

interface TaskState {
  readonly State: string;
  readonly Restarts: number;
  readonly Failed: boolean;
  readonly Events: readonly { readonly Type: string; readonly DisplayMessage: string }[];
}

const raw = { ...defaultAgentConfig.client, enabled: true, rawExec: true, register: true };
const listener = "trap 'echo hup' HUP; trap 'echo usr1' USR1; echo begun; while :; do sleep 0.05; done";

let agents: Agents;
let api: ApiClient;
let origin = '';
let id = '';
beforeAll(async () => {
  agents = createAgents();
  const { agent, origin: server } = await agents.server();
  await agents.client([agent.rpcAddress()], { client: { ...raw, servers: [agent.rpcAddress()] } });
  origin = server;
  api = createApiClient(origin);
  const [{ ID: node = '' } = {}] = await api.until<{ ID?: string }[]>(
    '/v1/nodes',
    (nodes) => nodes.length > 0,
  );
  // It registers before it has opened the way back to it.
  await until(async () => (await fetch(`${origin}/v1/agent/host?node_id=${node}`)).status === 200);
  id = await runTasks(origin, 'listener', [
    shellTask(listener),
    shellTask(listener, { Name: 'other' }),
    shellTask('exit 0', { Name: 'before', Lifecycle: { Hook: 'prestart' } }),
  ]);
  await api.until<Allocation>(`/v1/allocation/${id}`, ({ TaskStates }) =>
    ['main', 'other'].every((name) => TaskStates[name]?.State === 'running'),
  );
});
afterAll(() => agents.close());

async function send(
  word: string,
  body: object | string,
  to = id,
): Promise<readonly [status: number, text: string]> {
  const response = await fetch(`${origin}/v1/client/allocation/${to}/${word}`, {
    method: 'PUT',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return [response.status, await response.text()];
}

/** The events of a task once it has one of this kind more often than so. */
async function eventsAfter(task: string, type: string, count: number): Promise<readonly string[]> {
  const events = ({ TaskStates }: Allocation): TaskState['Events'] => TaskStates[task]?.Events ?? [];
  const found = await api.until<Allocation>(
    `/v1/allocation/${id}`,
    (one) => events(one).filter(({ Type }) => Type === type).length > count,
  );
  return events(found).map(({ DisplayMessage, Type }) => `${Type}: ${DisplayMessage}`);
}

describe('the tasks of an allocation', () => {
  it('receive signals, one of them or all, and record them as events', async () => {
    const logs = await Promise.all(
      ['main', 'other'].map((task) =>
        openResponse(`${origin}/v1/client/fs/logs/${id}?task=${task}&type=stdout&follow=true&plain=true`),
      ),
    );
    const [main, other] = logs as [(typeof logs)[0], (typeof logs)[0]];
    await Promise.all(logs.map((log) => log.until((text) => text.includes('begun'))));
    expect(await send('signal', { TaskName: 'main', Signal: 'SIGHUP' })).toEqual([200, '{}']);
    await main.until((text) => text.endsWith('hup\n'));
    expect(await send('signal', { Task: 'main', Signal: 'SIGHUP' })).toEqual([200, '{}']);
    await main.until((text) => text.endsWith('hup\nhup\n'));
    expect(await send('signal', { Signal: 'SIGUSR1' })).toEqual([200, '{}']);
    await Promise.all(logs.map((log) => log.until((text) => text.endsWith('usr1\n'))));
    expect(other.text()).toBe('begun\nusr1\n');
    expect(await eventsAfter('main', 'Signaling', 2)).toContain('Signaling: Task being sent signal SIGHUP');
    for (const log of logs) log.close();
  });

  it('are started again, one of them or all that run, which no policy counts', async () => {
    expect(await send('restart', { TaskName: 'main' })).toEqual([200, '{}']);
    const events = await eventsAfter('main', 'Started', 1);
    expect(events.slice(-4)).toEqual([
      'Restart Signaled: User requested task to restart',
      'Terminated: Exit Code: 137, Signal: 9',
      'Restarting: Task restarting in 0s: as a user has requested',
      'Started: Task started by client',
    ]);
    expect(await send('restart', '')).toEqual([200, '{}']);
    expect(await eventsAfter('other', 'Started', 1)).toContain(
      'Restart Signaled: User requested running tasks to restart',
    );
    await eventsAfter('main', 'Restart Signaled', 1);
    const running = await api.until<Allocation>(`/v1/allocation/${id}`, ({ TaskStates }) =>
      ['main', 'other'].every((name) => TaskStates[name]?.State === 'running'),
    );
    expect(running.ClientStatus).toBe('running');
    expect(running.TaskStates).toMatchObject({
      main: { Restarts: 2, Failed: false },
      other: { Restarts: 1, Failed: false },
      before: { Restarts: 0 },
    });
  });

  it('of a batch job are started again too', async () => {
    const batch = await runTasks(origin, 'batch', [shellTask(listener, { KillSignal: 'SIGTERM' })], {
      Type: 'batch',
    });
    expect(await send('restart', { AllTasks: true }, batch)).toEqual([200, '{}']);
    const again = await api.until<Allocation>(
      `/v1/allocation/${batch}`,
      ({ TaskStates }) => TaskStates['main']?.Restarts === 1 && TaskStates['main'].State === 'running',
    );
    expect(again.ClientStatus).toBe('running');
  });

  it.each([
    [
      'signal',
      { TaskName: 'none', Signal: 'SIGHUP' },
      400,
      'unknown task name "none", there is "main", "other", "before"',
    ],
    ['signal', { TaskName: 'main' }, 400, 'Signal is missing, such as "SIGHUP" or "SIGUSR1"'],
    [
      'signal',
      { TaskName: 'main', Signal: 'SIGFOO' },
      400,
      'unknown signal "SIGFOO", such as "SIGHUP" or "SIGUSR1"',
    ],
    ['signal', { TaskName: 'main', Signal: 'hup' }, 400, 'unknown signal "hup", did you mean "SIGHUP"?'],
    [
      'signal',
      { TaskName: 'main', Signal: '__proto__' },
      400,
      'unknown signal "__proto__", such as "SIGHUP" or "SIGUSR1"',
    ],
    [
      'signal',
      { TaskName: 'main', Task: 'other', Signal: 'SIGHUP' },
      400,
      'Task and TaskName are different: leave one of them out',
    ],
    ['signal', { TaskName: 'before', Signal: 'SIGHUP' }, 400, 'Task "before" does not run'],
    ['signal', '', 400, 'Request body is empty'],
    ['signal', { Signal: 9 }, 400, 'Signal: expected a string, found the number 9'],
    ['restart', { TaskName: 'none' }, 400, 'unknown task name "none", there is "main", "other", "before"'],
    ['restart', { TaskName: 'before' }, 400, 'Task "before" does not run'],
    [
      'restart',
      { TaskName: 'main', AllTasks: true },
      400,
      'TaskName and AllTasks say different things: leave one of them out',
    ],
    [
      'restart',
      { AllTasks: true },
      400,
      'AllTasks would start tasks that do not run ("before"), which is not built: leave it out to restart those that do',
    ],
  ])('%s %j is refused', async (word, body, status, text) => {
    expect(await send(word, body)).toEqual([status, text]);
  });

  it('receive nothing if there are no tasks, or they are over', async () => {
    expect(await send('restart', {}, 'none')).toEqual([404, 'alloc not found']);
    const over = await runTasks(origin, 'over', [shellTask('exit 0')], { Type: 'batch', status: 'complete' });
    expect(await send('restart', {}, over)).toEqual([400, 'The allocation does not run']);
    expect(await send('signal', { Signal: 'SIGHUP' }, over)).toEqual([400, 'The allocation does not run']);
  });
});
