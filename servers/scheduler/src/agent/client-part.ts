import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { kill, pid } from 'node:process';
import type { AgentConfig } from '../agent-config.js';
import { describeNode } from '../client/fingerprint.js';
import { createKnownServers, defaultRpcPort, type KnownServers } from '../client/known-servers.js';
import { createMockDriver } from '../client/mock-driver.js';
import { startNodeClient, type NodeClient } from '../client/node-client.js';
import { loadNodeIdentity, type NodeIdentity } from '../client/node-identity.js';
import { endLeftovers } from '../client/process-note.js';
import { createRawExecDriver, signalProcesses } from '../client/raw-exec-driver.js';
import type { Clock } from '../clock.js';
import { parseAddress, type Address } from '../host/address.js';
import type { AgentService } from '../host/agent-service.js';
import type { Machine } from '../host/machine.js';
import type { AgentClient } from '../http/agent-context.js';
import type { LogHub } from '../logs/log-hub.js';
import type { Intern } from '../model/intern.js';
import { createForward } from '../rpc/forward.js';
import { createQuestionLink } from '../rpc/question-link.js';
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js';
import type { RpcTls } from '../rpc/rpc-server.js';
import { createServerLink } from '../rpc/server-link.js';
import type { ClientFigures } from './stats.js';
import { systemProcesses } from '../storage/owner.js';
import { version } from './version.js';

export interface ClientPartDependencies {
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
  close(): Promise<void>;
}

export async function createClientPart(
  config: AgentConfig,
  dependencies: ClientPartDependencies,
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
  const links = createQuestionLink({
    client: rpc,
    servers,
    node: identity,
    service,
    clock,
    random,
    onFailure: (error) => logs.part('client').debug({ err: error }, 'no connection for questions'),
  });
  let node: NodeClient | null = null;

  return {
    client: {
      nodeId: identity.id,
      servers,
      service,
      forward: createForward(rpc, servers),
    },
    rpc,
    figures: () => figuresOf(identity, servers, node, clock.now()),
    async start(httpAddress) {
      if (!config.client.register) return;
      node = await startNode(config, dependencies, { httpAddress, identity, rpc, servers });
      links.start();
    },
    async close() {
      links.close();
      await node?.close();
      rpc.close();
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

/** Where allocations have their files when nothing is kept. */
const temporaryDirectory = 'scheduler-allocations';

async function startNode(
  config: AgentConfig,
  { clock, intern, logs, machine, random }: ClientPartDependencies,
  { httpAddress, identity, rpc, servers }: NodeParts,
): Promise<NodeClient> {
  const { nodeClass, nodePool, meta, rawExec } = config.client;
  const directory =
    config.dataDir === null
      ? join(machine.temporaryDirectory, `${temporaryDirectory}-${identity.id}`)
      : join(config.dataDir, 'alloc');
  // Its size is that of the disk that it is on, so it has to be there.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const processes = systemProcesses(pid, kill);
  const left = await endLeftovers(directory, processes, (process) => signalProcesses(process, 'SIGKILL'));
  if (left > 0) logs.part('client').warn({ processes: left }, 'ended tasks of an earlier run');
  const drivers = [
    createRawExecDriver({
      enabled: rawExec,
      clock,
      processes,
      searchPath: machine.environment['PATH'] ?? '',
    }),
    createMockDriver(clock),
  ];
  const { nodeName: name, datacenter, region } = config;
  const settings = { name, datacenter, nodeClass, nodePool, meta, httpAddress, directory };
  const node = await describeNode(
    identity,
    { ...settings, tls: config.tls?.http === true, version: version.number },
    { machine, drivers, now: clock.now() },
  );
  const attributes = new Map(Object.entries(node.Attributes ?? {}));
  return startNodeClient({
    node,
    facts: { id: identity.id, name, datacenter, region, nodeClass, attributes, meta },
    link: createServerLink(rpc, servers, identity),
    drivers,
    clock,
    random,
    intern,
    logger: logs.part('client'),
    directory,
  });
}
