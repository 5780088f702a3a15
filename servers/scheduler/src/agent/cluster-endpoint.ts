import { acceptQueue, isLoopbackAddress, type Slices } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { fullAccess } from '../acl/access.js';
import type { AccessResolver } from '../acl/access-resolver.js';
import type { AgentConfig } from '../agent-config.js';
import type { Clock } from '../clock.js';
import type { LeaderTask } from '../cluster/leader-tasks.js';
import type { Leadership } from '../cluster/leadership.js';
import { formatAddress, type Address } from '../host/address.js';
import type { AgentService } from '../host/agent-service.js';
import type { Machine } from '../host/machine.js';
import { accessOf } from '../http/access.js';
import type { AgentName, AgentServer } from '../http/agent-context.js';
import type { LogHub } from '../logs/log-hub.js';
import type { Membership } from '../membership/membership.js';
import type { Intern } from '../model/intern.js';
import { createNodeConnections } from '../rpc/node-connections.js';
import { buildRpcServer, type RpcTls } from '../rpc/rpc-server.js';
import type { BlockingQueries } from '../state/blocking-query.js';
import type { State } from '../state/state.js';
import type { StoreHealth } from '../storage/watch-storage.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import { advertisedHost } from './advertised-address.js';
import { createNodeHeartbeats } from './node-heartbeats.js';
import { openMembership } from './open-membership.js';

/** What the server in an agent is made of. */
export interface ServerDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly stamp: () => bigint;
  readonly intern: Intern;
  readonly logs: LogHub;
  readonly machine: Machine;
  readonly state: State;
  readonly store: StoreHealth;
  readonly blocking: BlockingQueries;
  readonly slices: Slices;
  readonly leader: Leadership;
  readonly access: AccessResolver;
  readonly workers: WorkerPool;
  readonly service: AgentService;
  readonly tls: RpcTls | null;
}

/** The server in an agent, as the others know it: its member and its RPC port. */
export interface ServerPart {
  readonly server: AgentServer;
  /** Where others find its RPC, once it listens. */
  readonly rpc: () => Address;
  /** The same as one text. */
  readonly rpcAddress: () => string;
  readonly membership: Membership;
  readonly connectedNodes: () => number;
  /** The deadlines of the nodes, which are the leader's. */
  readonly heartbeats: LeaderTask;
  /** Listens for other agents; what they pass on goes to `api`. @throws the listener's error. */
  start(api: FastifyInstance): Promise<void>;
  close(): Promise<void>;
}

export function createServerPart(
  config: AgentConfig,
  name: AgentName,
  dependencies: ServerDependencies,
): ServerPart {
  const { access, clock, leader, logs, machine, service, store, tls, workers } = dependencies;
  const log = logs.part('rpc');
  const nodes = createNodeConnections(clock, undefined, (rivals) => {
    log.warn(
      rivals,
      'two clients have the ID of one node and end each other, give one of them another data directory',
    );
  });
  const heartbeats = createNodeHeartbeats(config.server, dependencies);
  let rpcPort = config.rpcPort;
  let listener: FastifyInstance | null = null;
  const rpc = (): Address => ({ host: advertisedHost(config.bind, machine), port: rpcPort });
  const membership = openMembership(config, name, { ...dependencies, rpc });

  return {
    server: {
      leader,
      store,
      membership,
      workers,
      maxWorkers: machine.cpuCount,
      service,
      nodeService: nodes.service,
    },
    rpc,
    rpcAddress: () => formatAddress(rpc()),
    membership,
    connectedNodes: () => nodes.count,
    heartbeats,
    async start(api) {
      listener = buildRpcServer({
        ...dependencies,
        pong: { server: name.member, region: name.region },
        guard: { loopback: isLoopbackAddress(config.bind), hostNames: config.hostNames },
        limits: config.http,
        maxNodes: config.maxNodes,
        logger: log,
        nodes,
        heartbeats,
        api,
        rights({ ...headers }) {
          const rights = access.enabled ? accessOf({ headers }, dependencies) : fullAccess;
          return {
            agentRead: rights.agent('read'),
            agentWrite: rights.agent('write'),
            nodeRead: rights.node('read'),
          };
        },
      });
      if (!isLoopbackAddress(config.bind) && (tls?.ca ?? null) === null) {
        logs.logger.warn(
          'The port for other agents asks for no certificate: whoever reaches it may be a node',
        );
      }
      await listener.listen({ host: config.bind, port: config.rpcPort, backlog: acceptQueue });
      ({ port: rpcPort } = listener.server.address() as AddressInfo);
      const events = logs.part('serf');
      membership.subscribe(({ kind, member: { Name, Status } }) => {
        events.info({ member: Name, status: Status }, `member-${kind}`);
      });
      await membership.start();
    },
    async close() {
      nodes.close();
      await Promise.all([listener?.close(), membership.close()]);
    },
  };
}
