import type { AgentConfig } from '../agent-config.js';
import { runLeaderTasks, type LeaderTask, type RunningLeaderTasks } from '../cluster/leader-tasks.js';
import { createSingleServer, type Leadership } from '../cluster/leadership.js';
import { createScheduling, type Scheduling } from '../workers/scheduling.js';
import { nameOf } from './agent-name.js';
import { createClientPart, type ClientPart } from './client.js';
import type { AgentDependencies } from './dependencies.js';
import type { Services } from './services.js';
import { followPeers } from './peers.js';
import { createServerPart, type ServerPart } from './cluster-endpoint.js';
import { createStateFill } from './state-fill.js';

/** The parts of an agent that is a server, and maybe a client too. */
export interface ServerParts {
  readonly leader: Leadership;
  /** The work that this server does while it leads. */
  readonly leaderTasks: RunningLeaderTasks;
  readonly scheduling: Scheduling;
  readonly server: ServerPart;
  readonly client: ClientPart | null;
  /** Shares the work with the other servers there are, from now on. */
  followPeers(): void;
}

/**
 * Puts the parts together; a server that leads begins with its work at once.
 *
 * @throws AddressError for addresses that cannot be read, ImportError.
 */
export async function createServerParts(
  config: AgentConfig,
  dependencies: AgentDependencies,
  services: Services,
): Promise<ServerParts> {
  const { clock, logs, machine, random, uuid } = dependencies;
  const { access, blocking, intern, observation, slices, stamp, state, store } = services;
  const name = nameOf(config);
  const tls = config.tls?.rpc === true ? (dependencies.tls ?? null) : null;
  const leader = createSingleServer({
    bootstrapExpect: config.bootstrapExpect,
    self: {
      name: name.member,
      // Its port is known once it listens.
      get address() {
        return server.rpcAddress();
      },
    },
    clock,
  });
  const workersLog = logs.part('workers');
  let hasPeers = (): boolean => false;
  const scheduling = createScheduling({
    ...{ state, clock, slices, random, uuid, stamp, intern, serverId: name.member },
    config: {
      numSchedulers: config.server.numSchedulers ?? machine.cpuCount,
      enabledSchedulers: config.server.enabledSchedulers,
    },
    leadsOthers: () => leader.current().location === 'here' && hasPeers(),
    warn: (message, details) => workersLog.warn(details, message),
  });
  const { metrics, serviceOf } = observation;
  metrics.watchEvaluations(() => Object.entries(scheduling.counts));
  const shared = { clock, random, uuid, intern, logs, machine, tls };
  const server = createServerPart(config, name, {
    ...{ ...shared, stamp, state, store, blocking, slices, leader, access },
    workers: scheduling.pool,
    service: serviceOf(name.member),
  });
  const client = config.client.enabled
    ? await createClientPart(config, { ...shared, serviceOf, ownServer: server.rpc })
    : null;
  const tasks: LeaderTask[] = [
    createStateFill(config, dependencies, { state, intern }),
    server.heartbeats,
    ...(config.server.pauseEvalBroker ? [] : [scheduling]),
  ];
  const failed = (error: unknown): void =>
    logs.part('leader').error({ err: error }, 'the work of the leader has not begun or ended as it should');
  const leaderTasks = runLeaderTasks({ leadership: leader, tasks, failed });
  await leaderTasks.settled();
  return {
    leader,
    leaderTasks,
    scheduling,
    server,
    client,
    followPeers() {
      hasPeers = followPeers(server.membership, scheduling.pool.adjust);
    },
  };
}
