import type { FastifyInstance } from 'fastify';
import type { AgentConfig } from './settings/agent-config.js';
import { runLeaderTasks, type RunningLeaderTasks } from '@tamis/scheduler-state/cluster/leader-tasks.js';
import type { Leadership } from '@tamis/scheduler-state/cluster/leadership.js';
import { watchClockSteps } from '@tamis/scheduler-state/cluster/clock-steps.js';
import {
  watchPeerClocks,
  type PeerClock,
  type PeerClocks,
} from '@tamis/scheduler-state/cluster/peer-clocks.js';
import { formatAddress, parseAddress } from '@tamis/scheduler-model/host/address.js';
import { dial } from '@tamis/scheduler-model/host/dial.js';
import type { LeaderRouting } from '../api/kernel/route.js';
import type { ForwardOnBehalf, ForwardToServer } from '../api/kernel/requests/forwarded.js';
import type { RpcClient } from '../rpc/rpc-client.js';
import type { Membership } from '../services/membership/membership.js';
import { createScheduling, type Scheduling } from '@tamis/scheduler-placement/workers/scheduling.js';
import type { AdvertisedAddresses } from './advertised-address.js';
import type { AgentDependencies } from './agent-dependencies.js';
import { createServerTags, followPeers, openMembership, type Peers } from './agent-membership.js';
import { nameOf } from './agent-name.js';
import { sharedSettingsOf } from './agreed-settings.js';
import { createClusterEndpoint, type ClusterEndpoint } from './cluster-endpoint.js';
import { createLeaderTakeover, type LeaderTakeover } from './leader-takeover.js';
import type { Services } from './services.js';
import { createSampleActivity } from './sample/sample-activity.js';
import { createStateFill } from './state-fill.js';

/** The server role of an agent: it stores the state, schedules allocations, and other agents know it. */
export type ServerRole = Awaited<ReturnType<typeof createServer>>;

export interface ServerDependencies extends Omit<AgentDependencies, 'storage' | 'tls'>, Services {
  readonly addresses: AdvertisedAddresses;
  /** TLS files for the RPC port. */
  readonly tls: AgentDependencies['tls'] | null;
  /** Leader routing for the RPC port. */
  readonly leaderRouting: LeaderRouting;
  readonly forwardToServer: ForwardToServer;
  readonly forwardOnBehalf: ForwardOnBehalf;
  readonly rpc: Pick<RpcClient, 'timeOf'>;
  /** Names of all regions that requests can be sent to. */
  readonly regions: readonly string[];
}

/**
 * Creates the server; a leader starts its work immediately.
 *
 * @throws AddressError for an invalid roster, ImportError.
 */
export async function createServer(config: AgentConfig, dependencies: ServerDependencies) {
  const {
    addresses,
    forwardOnBehalf,
    forwardToServer,
    election,
    leader,
    machine,
    observation,
    regions,
    servers,
    shared = null,
    state,
    store,
  } = dependencies;
  const rpcAddress = (): string => formatAddress(addresses.of('rpc'));
  const serverAddresses = (): readonly string[] => {
    const known = servers.all().map(({ address }) => address);
    // Other servers do not know this one before its registration.
    return known.includes(rpcAddress()) ? known : [rpcAddress(), ...known];
  };
  const tags = createServerTags(config, dependencies);
  const membership = openMembership(config, { ...dependencies, tags });
  const peers = followPeers(membership);
  const scheduling = createServerScheduling(config, dependencies, { leader, peers });
  const tls = dependencies.tls ?? null;
  const endpoint = createClusterEndpoint(config, { ...dependencies, tls });
  const leaderTasks = startLeaderTasks(config, dependencies, { leader, endpoint, scheduling });
  await leaderTasks.settled();
  let takeover: LeaderTakeover | null = null;
  let clocks: PeerClocks | null = null;
  const clockSteps = watchClockSteps(dependencies.clock, (milliseconds) =>
    dependencies.logs.part('clocks').warn({ milliseconds }, 'the clock of this server was set'),
  );
  const peerClocks = (): readonly PeerClock[] => clocks?.all() ?? [];
  return {
    /** Returns `host:port` of its RPC endpoint. */
    rpcAddress,
    /** Returns `host:port` of the RPC endpoints of all servers of the region, including this one. */
    serverAddresses,
    /** Uses a new certificate for new connections of other agents. */
    renew: endpoint.renew,
    /** The role as the agent's endpoints use it. */
    endpoints: {
      ...{ forwardOnBehalf, forwardToServer, leader, store, membership, peerClocks },
      clockStep: () => clockSteps.describe(),
      others: () => servers.all().filter(({ name }) => name !== nameOf(config).member),
      workers: scheduling.pool,
      maxWorkers: machine.cpuCount,
      service: observation.serviceOf(nameOf(config).member),
      nodeService: endpoint.nodeService,
    },
    statsSource: {
      ...{ state, leader, membership, regions, servers: serverAddresses, peerClocks },
      bootstrapExpect: config.bootstrapExpect,
      connectedNodes: endpoint.connectedNodes,
    },
    /** Starts to listen for other agents; forwarded requests go to `api`. @throws the listener's error. */
    async start(api: FastifyInstance): Promise<void> {
      addresses.listening('rpc', await endpoint.listen(api));
      await startMembership(membership, dependencies);
      peers.start(scheduling.pool.adjust);
    },
    /** Registers it with the other servers, with the URL of its HTTP API. It may be elected from now on. */
    stand(httpAddress: string): void {
      const { member: name } = nameOf(config);
      const gossipPort = membership.self().Port;
      const own = { name, address: rpcAddress(), httpAddress, gossipPort, tags: tags() };
      if (shared !== null) election?.stand({ ...own, settings: sharedSettingsOf(config, shared) });
      takeover = startTakeover(dependencies);
      clocks = startClocks(config, dependencies);
    },
    /** Stops the work of a leader. */
    async stopWork(): Promise<void> {
      takeover?.close();
      clocks?.close();
      clockSteps.close();
      await scheduling.close();
      await leaderTasks.stop();
      await resign(dependencies);
    },
    /** Closes its listeners. */
    async close(): Promise<void> {
      await Promise.all([endpoint.close(), membership.close()]);
    },
  };
}

/** Removes a leader whose process has ended before its lease expires. */
function startTakeover({ clock, election, logs }: ServerDependencies): LeaderTakeover | null {
  if (election === null) return null;
  const log = logs.part('leader');
  return createLeaderTakeover({
    ...{ election, clock, dial },
    removed({ server: { name, address } }, error) {
      if (error === null)
        log.warn({ name, address }, 'the leader is gone: nothing listens on its port any more');
      else
        log.warn(
          { name, address, err: error },
          'the leader is gone, and cannot be removed before its lease ends',
        );
    },
  });
}

/** Logs differences between the clocks of other servers and this one's. */
function startClocks(
  config: AgentConfig,
  { clock, election, logs, rpc, servers }: ServerDependencies,
): PeerClocks | null {
  if (election === null) return null;
  const log = logs.part('clocks');
  return watchPeerClocks({
    ...{ clock, servers, self: nameOf(config).member },
    timeOf: (address) => rpc.timeOf(parseAddress(address, 0)),
    noted({ name, ahead }, isApart) {
      const details = { name, milliseconds: Math.round(ahead) };
      if (isApart) log.warn(details, 'the clock of another server is apart from the one of this server');
      else log.info(details, 'the clock of another server agrees again with the one of this server');
    },
  });
}

/** Resigns the leadership. On failure, the error is logged and the next leader takes over when the lease has expired. */
async function resign({ election, logs }: Pick<ServerDependencies, 'election' | 'logs'>): Promise<void> {
  await election?.resign().catch((error: unknown) => {
    logs.part('leader').warn({ err: error }, 'the leadership could not be given up');
  });
}

function createServerScheduling(
  config: AgentConfig,
  dependencies: ServerDependencies,
  { leader, peers }: { readonly leader: Leadership; readonly peers: Peers },
): Scheduling {
  const { clock, logs, machine, observation, random, slices, state, uuid } = dependencies;
  const log = logs.part('workers');
  const scheduling = createScheduling({
    ...{ state, clock, slices, random, uuid, serverId: nameOf(config).member },
    config: {
      numSchedulers: config.server.numSchedulers ?? machine.cpuCount,
      enabledSchedulers: config.server.enabledSchedulers,
    },
    leadsOthers: () => leader.current().location === 'here' && peers.present,
    warn: (message, details) => log.warn(details, message),
  });
  observation.metrics.watchEvaluations(() => Object.entries(scheduling.counts));
  return scheduling;
}

function startLeaderTasks(
  config: AgentConfig,
  dependencies: ServerDependencies,
  {
    leader: leadership,
    endpoint,
    scheduling,
  }: { readonly leader: Leadership; readonly endpoint: ClusterEndpoint; readonly scheduling: Scheduling },
): RunningLeaderTasks {
  const { logs, state } = dependencies;
  const log = logs.part('leader');
  return runLeaderTasks({
    leadership,
    contents: {
      generation: () => state.snapshot().generation,
      subscribe: (listener) => state.changes.subscribe(({ kind }) => kind === 'reset' && listener()),
    },
    tasks: [
      createStateFill(config, dependencies, dependencies),
      endpoint.heartbeats,
      ...(config.fill.kind === 'sample' && !config.fill.isStill ? [createSampleActivity(dependencies)] : []),
      ...(config.server.pauseEvalBroker ? [] : [scheduling]),
    ],
    failed: (error) =>
      log.error({ err: error }, 'the work of the leader has not begun or ended as it should'),
  });
}

async function startMembership(membership: Membership, { logs }: ServerDependencies): Promise<void> {
  const log = logs.part('serf');
  membership.subscribe(({ kind, member: { Name, Status } }) => {
    log.info({ member: Name, status: Status }, `member-${kind}`);
  });
  await membership.start();
}
