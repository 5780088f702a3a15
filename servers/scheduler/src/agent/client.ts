import { join } from 'node:path';
import { geteuid, kill, pid } from 'node:process';
import { eventLoop } from '@tamis/http';
import type { AgentConfig } from '../agent-config.js';
import { makeTemporaryRoot, openAllocationRoot, type AllocationRoot } from '../client/allocation-root.js';
import { openCgroups } from '../client/cgroups.js';
import type { TaskDriver } from '../client/driver.js';
import { describeNode } from '../client/fingerprint.js';
import { createKnownServers, defaultRpcPort, type KnownServers } from '../client/known-servers.js';
import { createMockDriver } from '../client/mock-driver.js';
import { startNodeClient, type NodeClient } from '../client/node-client.js';
import { loadNodeIdentity, type NodeIdentity } from '../client/node-identity.js';
import { createProcessScan } from '../client/process-scan.js';
import { createRawExecDriver } from '../client/raw-exec-driver.js';
import type { TaskProcessDependencies } from '../client/task-processes.js';
import { systemUsers } from '../client/users.js';
import type { Clock } from '../clock.js';
import { parseAddress, type Address } from '../host/address.js';
import type { AgentService } from '../host/agent-service.js';
import type { Machine } from '../host/machine.js';
import type { AgentClient } from '../http/agent-context.js';
import type { LogHub } from '../logs/log-hub.js';
import type { Intern } from '../model/intern.js';
import { createForward } from '../rpc/forward.js';
import { createReverseChannel } from '../rpc/reverse-channel.js';
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js';
import type { RpcTls } from '../rpc/rpc-server.js';
import { createServerLink } from '../rpc/server-link.js';
import type { ClientFigures } from './stats.js';
import { systemProcesses } from '../storage/owner.js';
import { version } from './version.js';

export interface ClientDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly intern: Intern;
  readonly logs: LogHub;
  readonly machine: Machine;
  readonly tls: RpcTls | null;
  /** The server in the same process, where there is one. */
  readonly ownServer: (() => Address) | null;
  /** Answers questions about this client, which goes by the ID of its node. */
  readonly serviceOf: (nodeId: string) => AgentService;
}

/** The client in an agent. */
export interface ClientPart {
  readonly client: AgentClient;
  readonly rpc: RpcClient;
  readonly figures: () => ClientFigures;
  /** Makes this machine known to the servers and runs what they place on it, where the configuration says so. */
  start(httpAddress: string): Promise<void>;
  /** Says nothing more to the servers. */
  stopReporting(): void;
  /** Ends all tasks, each as its job says. */
  close(): Promise<void>;
  /** Ends all tasks by force and waits for nothing. */
  abandon(): void;
}

export async function createClientPart(
  config: AgentConfig,
  dependencies: ClientDependencies,
): Promise<ClientPart> {
  const { clock, logs, ownServer, random, serviceOf, tls, uuid } = dependencies;
  const { dataDir } = config;
  const identity = await loadNodeIdentity(dataDir === null ? null : join(dataDir, 'client'), uuid);
  const rpc = createRpcClient(tls);
  const configured = config.client.servers.map((text) => parseAddress(text, defaultRpcPort));
  const servers = createKnownServers({
    // The server in this process has an address as soon as it listens.
    initial: () => (configured.length === 0 && ownServer !== null ? [ownServer()] : configured),
    ping: rpc.ping,
  });
  const service = serviceOf(identity.id);
  const links = createReverseChannel({
    client: rpc,
    servers,
    node: identity,
    service,
    clock,
    random,
    onFailure: (error) => logs.part('client').debug({ err: error }, 'no connection for questions'),
  });
  let node: StartedNode | null = null;

  return {
    client: {
      nodeId: identity.id,
      servers,
      service,
      forward: createForward(rpc, servers),
    },
    rpc,
    figures: () => figuresOf(identity, servers, node?.client ?? null, clock.now()),
    async start(httpAddress) {
      if (!config.client.register) return;
      node = await startNode(config, dependencies, { httpAddress, identity, rpc, servers });
      links.start();
    },
    stopReporting() {
      links.close();
      node?.client.stopReporting();
    },
    async close() {
      links.close();
      await node?.client.close();
      await node?.root.close();
      rpc.close();
    },
    abandon() {
      for (const driver of node?.drivers ?? []) driver.abandon();
    },
  };
}

function figuresOf(
  { id }: NodeIdentity,
  servers: KnownServers,
  node: NodeClient | null,
  now: number,
): ClientFigures {
  const isHeard = node !== null && node.lastHeartbeat > 0;
  return {
    nodeId: id,
    knownServers: servers.addresses(),
    allocations: node?.running ?? 0,
    heartbeat: isHeard ? { since: now - node.lastHeartbeat, ttl: node.heartbeatTtl } : null,
  };
}

interface NodeParts {
  readonly httpAddress: string;
  readonly identity: NodeIdentity;
  readonly rpc: RpcClient;
  readonly servers: KnownServers;
}

interface StartedNode {
  readonly client: NodeClient;
  readonly drivers: readonly TaskDriver[];
  readonly root: AllocationRoot;
}

async function startNode(
  config: AgentConfig,
  dependencies: ClientDependencies,
  { httpAddress, identity, rpc, servers }: NodeParts,
): Promise<StartedNode> {
  const { clock, intern, logs, machine, random } = dependencies;
  const { nodeClass, nodePool, meta } = config.client;
  const processes = systemProcesses(pid, kill);
  const tasks: TaskProcessDependencies = { clock, scan: createProcessScan(pid) };
  const rootDependencies = { ...tasks, processes, user: geteuid?.() ?? 0 };
  // The size of its disk is told to the servers, so it has to be there.
  const root = await (config.dataDir === null
    ? makeTemporaryRoot(machine.temporaryDirectory, rootDependencies)
    : openAllocationRoot(config.dataDir, rootDependencies));
  const log = logs.part('client');
  if (root.ended > 0) log.warn({ processes: root.ended }, 'ended tasks of an earlier run');
  const drivers = await createDrivers(config, dependencies, tasks);
  const { directory } = root;
  const { nodeName: name, datacenter, region } = config;
  const settings = { name, datacenter, nodeClass, nodePool, meta, httpAddress, directory };
  const node = await describeNode(
    identity,
    { ...settings, tls: config.tls?.http === true, version: version.number },
    { machine, drivers, now: clock.now() },
  );
  const attributes = new Map(Object.entries(node.Attributes ?? {}));
  const client = startNodeClient({
    node,
    facts: { id: identity.id, name, datacenter, region, nodeClass, attributes, meta },
    link: createServerLink(rpc, servers, identity),
    drivers,
    clock,
    random,
    intern,
    logger: log,
    directory,
  });
  return { client, drivers, root };
}

async function createDrivers(
  { client: { mockDriver, rawExec } }: AgentConfig,
  { clock, logs, machine }: ClientDependencies,
  tasks: TaskProcessDependencies,
): Promise<readonly TaskDriver[]> {
  const cgroups = rawExec ? await openCgroups() : null;
  if (rawExec) {
    const means = cgroups === null ? 'environment and process group' : 'cgroup';
    logs.part('client').info({ by: means }, 'tasks of raw_exec are kept together');
  }
  const programs = createRawExecDriver({
    ...tasks,
    enabled: rawExec,
    processes: systemProcesses(pid, kill),
    users: systemUsers(geteuid?.() ?? 0),
    cgroups,
    searchPath: machine.environment['PATH'] ?? '',
    pace: eventLoop,
  });
  return mockDriver ? [programs, createMockDriver(clock)] : [programs];
}
