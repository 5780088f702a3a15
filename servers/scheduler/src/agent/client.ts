import { join } from 'node:path';
import type { AgentConfig } from './settings/agent-config.js';
import { createCommandHandler } from '@tamis/scheduler-node/command-requests.js';
import { createFileHandler } from '@tamis/scheduler-node/file-requests.js';
import {
  createKnownServers,
  defaultRpcPort,
  type KnownServers,
} from '@tamis/scheduler-node/known-servers.js';
import type { NodeClient } from '@tamis/scheduler-node/node-client.js';
import { loadNodeIdentity, type NodeIdentity } from '@tamis/scheduler-node/node-identity.js';
import { parseAddress, type Address } from '@tamis/scheduler-model/host/address.js';
import { createForward } from '../rpc/forward.js';
import { createReverseChannel, type ReverseChannel } from '../rpc/reverse-channel.js';
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js';
import type { RpcTls } from '../rpc/rpc-server.js';
import { createServerLink } from '../rpc/server-link.js';
import type { AgentDependencies } from './agent-dependencies.js';
import type { ServiceOf } from './agent-request-handlers.js';
import { startNode, type RunningNode } from './node.js';
import type { ClientStats } from './stats.js';

export interface ClientDependencies extends Pick<
  AgentDependencies,
  'clock' | 'random' | 'uuid' | 'logs' | 'machine'
> {
  readonly tls: RpcTls | null;
  /** The RPC address of the server in this process; null without a server. */
  readonly ownServer: (() => Address) | null;
  /** Handles requests about this client, addressed by its node ID. */
  readonly serviceOf: ServiceOf;
}

/** The client role of an agent: it connects to servers and runs the allocations placed on this machine. */
export type ClientRole = Awaited<ReturnType<typeof createClient>>;

/** Creates the client. @throws AddressError for an invalid server address. */
export async function createClient(config: AgentConfig, dependencies: ClientDependencies) {
  const { clock, serviceOf, tls, uuid } = dependencies;
  const { dataDir } = config;
  const identity = await loadNodeIdentity(dataDir === null ? null : join(dataDir, 'client'), uuid);
  const rpc = createRpcClient(tls);
  const servers = configuredServers(config, dependencies, rpc);
  let node: RunningNode | null = null;
  const allocations = (): NodeClient['allocations'] | null => node?.client.allocations ?? null;
  const service = serviceOf(
    identity.id,
    new Map([
      ['fs', createFileHandler(allocations, clock)],
      ['allocation', createCommandHandler(allocations)],
    ]),
  );
  const channel = openChannel(dependencies, { client: rpc, servers, node: identity, service });
  return {
    /** The role as the agent's endpoints use it. */
    endpoints: { nodeId: identity.id, servers, service, forward: createForward(rpc, servers) },
    rpc,
    stats: (): ClientStats => statsOf(identity, servers, node?.client ?? null, clock.now()),
    /**
     * Registers this machine with the servers if configured.
     *
     * @param httpAddress `host:port` of the HTTP API.
     */
    async start(httpAddress: string): Promise<void> {
      if (!config.client.register) return;
      const link = createServerLink(rpc, servers, identity);
      node = await startNode(config, { ...dependencies, identity, link, httpAddress });
      channel.start();
    },
    /** Stops all reports to the servers. */
    stopReporting(): void {
      channel.close();
      node?.client.stopReporting();
    },
    /** Stops all tasks as their jobs specify. */
    async close(): Promise<void> {
      channel.close();
      await node?.close();
      rpc.close();
    },
    /** Kills all tasks without waiting. */
    abandon: () => node?.abandon(),
  };
}

function configuredServers(
  config: AgentConfig,
  { ownServer }: ClientDependencies,
  { ping }: RpcClient,
): KnownServers {
  const configured = config.client.servers.map((text) => parseAddress(text, defaultRpcPort));
  // The server in this process has an address once it listens.
  const initial = (): readonly Address[] =>
    configured.length === 0 && ownServer !== null ? [ownServer()] : configured;
  return createKnownServers({ initial, ping });
}

function openChannel(
  { clock, logs, random }: ClientDependencies,
  ends: Pick<Parameters<typeof createReverseChannel>[0], 'client' | 'servers' | 'node' | 'service'>,
): ReverseChannel {
  const log = logs.part('client');
  return createReverseChannel({
    ...ends,
    ...{ clock, random },
    onFailure: (error) => log.debug({ err: error }, 'no connection for requests'),
  });
}

function statsOf(
  { id }: NodeIdentity,
  servers: KnownServers,
  node: NodeClient | null,
  now: number,
): ClientStats {
  const isHeard = node !== null && node.lastHeartbeat > 0;
  return {
    nodeId: id,
    knownServers: servers.addresses(),
    allocations: node?.running ?? 0,
    heartbeat: isHeard ? { since: now - node.lastHeartbeat, ttl: node.heartbeatTtl } : null,
  };
}
