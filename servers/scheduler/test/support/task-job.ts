import { createApiClient, type ApiClient } from './api-client.js';

interface Stub {
  readonly ID: string;
  readonly ClientStatus: string;
}

/** A task of raw_exec that runs a script of the shell. */
export function shellTask(script: string, more: object = {}): object {
  return {
    Name: 'main',
    Driver: 'raw_exec',
    Config: { command: '/bin/sh', args: ['-c', script] },
    Env: { PATH: '/usr/bin:/bin' },
    Resources: { CPU: 10, MemoryMB: 10 },
    KillSignal: 'SIGKILL',
    ...more,
  };
}

/** Registers a job of one group and one allocation. */
export async function registerTasks(
  api: ApiClient,
  id: string,
  tasks: readonly object[],
  more: object = {},
): Promise<void> {
  const group = { Name: 'g', RestartPolicy: { Attempts: 0, Mode: 'fail' }, Tasks: tasks };
  await api.put('/v1/jobs', { Job: { ID: id, Datacenters: ['dc1'], TaskGroups: [group], ...more } });
}

/** Registers a job and waits until its allocation has got so far; returns its ID. */
export async function runTasks(
  origin: string,
  id: string,
  tasks: readonly object[],
  { status = 'running', ...more }: { readonly status?: string } & Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const api = createApiClient(origin);
  await registerTasks(api, id, tasks, more);
  const isThere = (list: readonly Stub[]): boolean =>
    list.some(({ ClientStatus }) => ClientStatus === status);
  const found = await api.until<readonly Stub[]>(`/v1/job/${id}/allocations`, isThere);
  return found.find(({ ClientStatus }) => ClientStatus === status)?.ID ?? '';
}
