import { geteuid, kill, pid } from 'node:process';
import { eventLoop, systemProcesses } from '@tamis/http';
import type { AgentConfig } from './settings/agent-config.js';
import {
  makeTemporaryRoot,
  openAllocationRoot,
  type AllocationRoot,
} from '@tamis/scheduler-node/allocation-root.js';
import { openCgroups } from '@tamis/scheduler-node/cgroups.js';
import type { TaskDriver } from '@tamis/scheduler-node/driver.js';
import { describeNode } from '@tamis/scheduler-node/fingerprint.js';
import { createMockDriver } from '@tamis/scheduler-node/mock-driver.js';
import { startNodeClient } from '@tamis/scheduler-node/node-client.js';
import type { NodeIdentity } from '@tamis/scheduler-node/node-identity.js';
import { createProcessScan } from '@tamis/scheduler-node/process-scan.js';
import { createRawExecDriver } from '@tamis/scheduler-node/raw-exec-driver.js';
import type { ServerLink } from '@tamis/scheduler-node/server-link.js';
import type { TaskProcessDependencies } from '@tamis/scheduler-node/task-processes.js';
import { systemUsers } from '@tamis/scheduler-node/users.js';
import type { NodeInput } from '@tamis/scheduler-model/node.js';
import type { AgentDependencies } from './agent-dependencies.js';
import { version } from './version.js';

export interface NodeDependencies extends Pick<AgentDependencies, 'clock' | 'logs' | 'machine' | 'random'> {
  readonly identity: NodeIdentity;
  readonly link: ServerLink;
  /** `host:port` of the HTTP API of this agent. */
  readonly httpAddress: string;
}

/** This machine as a node of the cluster. */
export type RunningNode = Awaited<ReturnType<typeof startNode>>;

/** Registers this machine with the servers and runs the allocations placed on it. */
export async function startNode(config: AgentConfig, dependencies: NodeDependencies) {
  const { clock, logs } = dependencies;
  const tasks: TaskProcessDependencies = { clock, scan: createProcessScan(pid) };
  // The servers receive its disk size, so the directory must exist.
  const root = await openRoot(config, dependencies, tasks);
  const log = logs.part('client');
  if (root.ended > 0) log.warn({ processes: root.ended }, 'ended tasks of an earlier run');
  const drivers = await createDrivers(config, dependencies, tasks);
  const node = await fingerprint(config, dependencies, drivers, root);
  const client = startNodeClient({
    ...dependencies,
    node,
    facts: nodeFacts(config, dependencies, node),
    drivers,
    logger: log,
    directory: root.directory,
  });
  return {
    client,
    /** Stops all tasks as their jobs specify. */
    async close(): Promise<void> {
      await client.close();
      await root.close();
    },
    /** Kills all tasks without waiting. */
    abandon(): void {
      for (const driver of drivers) driver.abandon();
    },
  };
}

function openRoot(
  { dataDir }: AgentConfig,
  { machine }: NodeDependencies,
  tasks: TaskProcessDependencies,
): Promise<AllocationRoot> {
  const dependencies = { ...tasks, processes: systemProcesses(kill), user: geteuid?.() ?? 0 };
  return dataDir === null
    ? makeTemporaryRoot(machine.temporaryDirectory, dependencies)
    : openAllocationRoot(dataDir, dependencies);
}

function fingerprint(
  config: AgentConfig,
  { clock, httpAddress, identity, machine }: NodeDependencies,
  drivers: readonly TaskDriver[],
  { directory }: AllocationRoot,
): Promise<NodeInput> {
  const { client, datacenter, nodeName: name, tls } = config;
  const settings = { ...client, name, datacenter, httpAddress, directory };
  return describeNode(
    identity,
    { ...settings, tls: tls?.http === true, version: version.number },
    { machine, drivers, now: clock.now() },
  );
}

function nodeFacts(
  { client: { meta, nodeClass }, datacenter, nodeName: name, region }: AgentConfig,
  { identity: { id } }: NodeDependencies,
  { Attributes }: NodeInput,
): Parameters<typeof startNodeClient>[0]['facts'] {
  const attributes = new Map(Object.entries(Attributes ?? {}));
  return { id, name, datacenter, region, nodeClass, attributes, meta };
}

async function createDrivers(
  { client: { mockDriver, rawExec } }: AgentConfig,
  { clock, logs, machine }: NodeDependencies,
  tasks: TaskProcessDependencies,
): Promise<readonly TaskDriver[]> {
  const cgroups = rawExec ? await openCgroups() : null;
  if (rawExec) {
    const by = cgroups === null ? 'environment and process group' : 'cgroup';
    logs.part('client').info({ by }, 'tasks of raw_exec are kept together');
  }
  const programs = createRawExecDriver({
    ...tasks,
    enabled: rawExec,
    processes: systemProcesses(kill),
    users: systemUsers(geteuid?.() ?? 0),
    cgroups,
    searchPath: machine.environment['PATH'] ?? '',
    pace: eventLoop,
  });
  return mockDriver ? [programs, createMockDriver(clock)] : [programs];
}
