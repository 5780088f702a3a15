import { acceptQueue, isLoopbackAddress } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import type { AgentConfig, ServerConfig } from './settings/agent-config.js';
import type { ServerList } from '@tamis/scheduler-state/cluster/server-list.js';
import { newestAccessOf } from '../api/kernel/access.js';
import type { HttpContext } from '../api/kernel/context.js';
import { createNodeConnections, type NodeConnections } from '../rpc/node-connections.js';
import type { RightsResponse } from '../rpc/protocol.js';
import { buildRpcServer, renewRpcServer, type RpcServerContext, type RpcTls } from '../rpc/rpc-server.js';
import type { AgentDependencies } from './agent-dependencies.js';
import { nameOf } from './agent-name.js';
import { createHeartbeats, type Heartbeats } from '../rpc/heartbeats.js';
import { hasRegistered } from '@tamis/scheduler-state/state/node-rows.js';
import { updateNodeStatus } from '@tamis/scheduler-state/state/node-status.js';
import { scanRows, fullRange } from 'tamis/table';
import type { State } from '@tamis/scheduler-state/state/state.js';

export interface ClusterEndpointDependencies
  extends
    Pick<AgentDependencies, 'clock' | 'logs' | 'random' | 'uuid'>,
    Pick<HttpContext, 'access' | 'leaderRouting' | 'blocking' | 'slices' | 'state'> {
  readonly servers: ServerList;
  readonly tls: RpcTls | null;
}

/** The RPC port of a server, to which clients and other agents connect. */
export type ClusterEndpoint = ReturnType<typeof createClusterEndpoint>;

export function createClusterEndpoint(config: AgentConfig, dependencies: ClusterEndpointDependencies) {
  const nodes = createConnections(dependencies);
  const heartbeats = createNodeHeartbeats(config.server, dependencies);
  let listener: FastifyInstance | null = null;
  return {
    /** Sends a request to a connected node. @throws SchedulerError `unknown-node` */
    nodeService: nodes.service,
    connectedNodes: (): number => nodes.count,
    /** The heartbeat deadlines of nodes, maintained by the leader. */
    heartbeats,
    /** Uses a new certificate for new connections. */
    renew: (tls: RpcTls) => listener !== null && renewRpcServer(listener, tls),
    /** Starts to listen; forwarded requests go to `api`. Resolves with the port. @throws the listener's error. */
    async listen(api: FastifyInstance): Promise<number> {
      listener = buildRpcServer(rpcContext(config, dependencies, { api, heartbeats, nodes }));
      warnOfUnauthenticatedClients(config, dependencies);
      await listener.listen({ host: config.bind, port: config.rpcPort, backlog: acceptQueue });
      return (listener.server.address() as AddressInfo).port;
    },
    async close(): Promise<void> {
      nodes.close();
      await listener?.close();
    },
  };
}

function createConnections({ clock, logs }: ClusterEndpointDependencies): NodeConnections {
  const log = logs.part('rpc');
  return createNodeConnections(clock, undefined, (conflict) => {
    log.warn(
      conflict,
      'two clients have the ID of one node and end each other, give one of them another data directory',
    );
  });
}

function rpcContext(
  config: AgentConfig,
  dependencies: ClusterEndpointDependencies,
  parts: Pick<RpcServerContext, 'api' | 'heartbeats' | 'nodes'>,
): RpcServerContext {
  const { member, region } = nameOf(config);
  return {
    ...dependencies,
    ...parts,
    pong: { server: member, region },
    now: dependencies.clock.now,
    guard: { loopback: isLoopbackAddress(config.bind), hostNames: config.hostNames },
    limits: config.http,
    maxNodes: config.maxNodes,
    logger: dependencies.logs.part('rpc'),
    rights: (headers) => rightsOf(headers, dependencies),
  };
}

/** @throws SchedulerError `permission-denied` */
async function rightsOf(
  { ...headers }: Parameters<RpcServerContext['rights']>[0],
  dependencies: ClusterEndpointDependencies,
): Promise<RightsResponse> {
  const { access, leaderRouting, state } = dependencies;
  const rights = await newestAccessOf({ headers }, { access, state, catchUp: leaderRouting.catchUp });
  return {
    agentRead: rights.agent('read'),
    agentWrite: rights.agent('write'),
    nodeRead: rights.node('read'),
  };
}

function warnOfUnauthenticatedClients(
  { bind }: AgentConfig,
  { logs, tls }: ClusterEndpointDependencies,
): void {
  if (isLoopbackAddress(bind) || (tls?.ca ?? null) !== null) return;
  logs.logger.warn(
    'The port for other agents requires no certificate: any host that reaches it may be a node',
  );
}

interface NodeHeartbeatDependencies extends Pick<AgentDependencies, 'clock' | 'random' | 'logs'> {
  readonly state: State;
}

/** Heartbeats of the nodes in a state. A node that misses one is down, and its allocations are placed elsewhere. */
interface NodeHeartbeats extends Heartbeats {
  /** Gives each node one heartbeat interval to report, because another server received its heartbeats until now. */
  start(): void;
}

function createNodeHeartbeats(
  { minHeartbeatTtl: minTtlMs, heartbeatGrace: grace }: ServerConfig,
  dependencies: NodeHeartbeatDependencies,
): NodeHeartbeats {
  const { clock, logs, random, state } = dependencies;
  const log = logs.part('heartbeats');

  function missed(nodeId: string): void {
    log.warn({ node: nodeId }, 'a node has missed its heartbeat');
    state
      .write((transaction) => updateNodeStatus(transaction, nodeId, 'down'))
      // It was purged meanwhile, or this server is closing.
      .catch((error: unknown) => log.debug({ err: error, node: nodeId }, 'the node is not marked'));
  }

  const heartbeats = createHeartbeats({ clock, random, minTtlMs, grace, missed });
  return {
    ...heartbeats,
    start() {
      const { tables } = state.snapshot();
      let unheard = 0;
      for (const { ID, Status } of scanRows(tables.nodes.primary, fullRange, false)) {
        if (Status === 'down') continue;
        // An imported node never had a deadline.
        if (hasRegistered(tables, ID)) heartbeats.beat(ID);
        else unheard += 1;
      }
      if (unheard > 0)
        log.info(
          { nodes: unheard },
          'nodes without a registered client are listed as stored, with their work; scheduler node purge removes one',
        );
    },
  };
}
