import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApiClient, type ApiClient } from '../test/support/api-client.js';
import { startKillableAgent, type KillableAgent } from './killable-agent.js';

/** A server and a client, each in a process of its own. */
export interface LogCluster {
  readonly origin: string;
  readonly api: ApiClient;
  /** Bytes that are held by the server and by the client. */
  memory(): { readonly server: number; readonly client: number };
  /** Runs a program of the runtime as a task; resolves with its allocation once it has written. */
  run(job: string, script: string): Promise<string>;
  close(): Promise<void>;
}

/** @param main the built agent. */
export async function startLogCluster(main: string, maxFileStreams: number): Promise<LogCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'logs-stress-'));
  const agents: KillableAgent[] = [];
  async function start(flags: readonly string[]): Promise<readonly [KillableAgent, string]> {
    const common = ['--no-sample', '--enable-debug', '--max-connections-per-client', '0'];
    const agent = startKillableAgent(main, [...common, ...flags]);
    // The client ends before its server does.
    agents.unshift(agent);
    return [agent, await addressOf(agent)];
  }
  async function close(): Promise<void> {
    for (const agent of agents) await agent.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  try {
    const [server, origin] = await start(['--server', '--max-file-streams', String(maxFileStreams)]);
    const api = createApiClient(origin);
    const address = await api.get<string>('/v1/status/leader');
    const [client] = await start([
      ...['--no-server', '--client', '--raw-exec', '--data-dir', directory],
      ...['--servers', address],
    ]);
    const [node] = await api.until<readonly Node[]>('/v1/nodes', ([one]) => one?.Status === 'ready');
    // It registers before it has opened the way back to it.
    await untilThere(`${origin}/v1/agent/host?node_id=${node?.ID ?? ''}`);
    return {
      origin,
      api,
      memory: () => ({ server: memoryOf(server), client: memoryOf(client) }),
      async run(job, script) {
        const id = await runTask(api, job, script);
        await untilThere(`${origin}/v1/client/fs/logs/${id}?task=main&type=stdout&limit=1`);
        return id;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Node {
  readonly ID: string;
  readonly Status: string;
}

async function addressOf(agent: KillableAgent): Promise<string> {
  const address = await agent.listening;
  if (address === null) throw new Error(`The agent has not started: ${agent.errors()}`);
  return address;
}

/** Retries until the status is 200. */
async function untilThere(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(url);
    await response.text();
    if (response.status === 200) return;
    await pause(50);
  }
  throw new Error(`${url} is not there`);
}

async function runTask(api: ApiClient, job: string, script: string): Promise<string> {
  const task = {
    Name: 'main',
    Driver: 'raw_exec',
    Config: { command: process.execPath, args: ['-e', script] },
    Resources: { CPU: 10, MemoryMB: 10 },
    KillSignal: 'SIGKILL',
  };
  await api.put('/v1/jobs', {
    Job: { ID: job, Datacenters: ['dc1'], TaskGroups: [{ Name: 'g', Tasks: [task] }] },
  });
  const [allocation] = await api.until<readonly { ID: string; ClientStatus: string }[]>(
    `/v1/job/${job}/allocations`,
    ([one]) => one?.ClientStatus === 'running',
  );
  return allocation?.ID ?? '';
}

/** Bytes of a process that are in the memory of the machine. */
function memoryOf({ pid }: KillableAgent): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
