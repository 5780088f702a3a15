import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startKillableAgent, type KillableAgent } from '../killable-agent.js';
import { rpcHeader, rpcPaths } from '../../src/rpc/protocol.js';
import { fetchJson } from './client.js';
import type { Region } from './region.js';
import type { ServerProcess } from './server-process.js';

/** Writes a file with a number of nodes, each with capacity for many allocations, and returns the flags that import it. */
export function importedNodes(folder: string, count: number): readonly string[] {
  const file = join(folder, 'nodes.jsonl');
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ kind: 'node', object: roomyNode(at) }),
  );
  writeFileSync(file, lines.join('\n'));
  return ['--import', file];
}

function roomyNode(at: number): object {
  return {
    ...{ ID: randomUUID(), Name: `node-${at}`, Datacenter: 'dc1', NodePool: 'default' },
    ...{ Status: 'ready', SchedulingEligibility: 'eligible', Attributes: { 'kernel.name': 'linux' } },
    NodeResources: {
      Cpu: { CpuShares: 1_000_000, TotalCpuCores: 64 },
      Memory: { MemoryMB: 1_000_000 },
      Disk: { DiskMB: 10_000_000 },
    },
    Drivers: { raw_exec: { Detected: true, Healthy: true } },
  };
}

/** Registers nodes with the leader, as their clients would, but without heartbeats. */
export async function registerNodes(region: Region, count: number): Promise<void> {
  const { name, rpcPort } = await region.leader();
  const server = { name, address: `http://127.0.0.1:${rpcPort}` };
  for (let at = 0; at < count; at += 1) {
    const body = { Node: { ...roomyNode(at), SecretID: randomUUID() } };
    const options = { method: 'POST', body, headers: { [rpcHeader]: '1' } } as const;
    await fetchJson(server, rpcPaths.register, options);
  }
}

/** A client in a process of its own, which knows all servers of a region. */
export interface NodeProcess {
  readonly name: string;
  /** Allocations that run on it, as it says itself. */
  running(): Promise<number>;
  errors(): string;
  kill(): Promise<void>;
}

export function startNode(main: string, region: Region, folder: string, name = 'n1'): NodeProcess {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const servers = region.servers.flatMap(({ rpcPort }) => ['--servers', `127.0.0.1:${rpcPort}`]);
  const flags = [
    '--no-server',
    '--client',
    '--mock-driver',
    '--data-dir',
    dataDir,
    '--name',
    name,
    ...servers,
  ];
  const agent: KillableAgent = startKillableAgent(main, flags);
  return {
    ...{ name, errors: agent.errors, kill: agent.kill },
    async running() {
      const address = (await agent.listening) ?? '';
      const self = await fetchJson<{
        readonly stats: { readonly client: { readonly num_allocations: string } };
      }>({ name, address }, '/v1/agent/self');
      return Number(self.stats.client.num_allocations);
    },
  };
}

interface NodeStub {
  readonly ID: string;
  readonly Name: string;
  readonly Status: string;
}

/** The status of a node as a server shows it; empty if there is none. */
export async function nodeStatus(server: ServerProcess, name: string): Promise<string> {
  const nodes = await fetchJson<readonly NodeStub[]>(server, '/v1/nodes?stale');
  return nodes.find(({ Name }) => Name === name)?.Status ?? '';
}

const nodeTimeoutMs = 30_000;

/** Waits until all servers show a node as ready. */
export async function awaitReady(servers: readonly ServerProcess[], name: string): Promise<void> {
  const started = performance.now();
  for (;;) {
    const found = await Promise.all(servers.map((server) => nodeStatus(server, name)));
    if (found.every((status) => status === 'ready')) return;
    if (performance.now() - started > nodeTimeoutMs) throw new Error(`node ${name} is ${found.join(', ')}`);
    await pause(50);
  }
}
