import type { AgentConfig } from '../agent-config.js';
import { createSingleServer, type Leadership } from '../cluster/leadership.js';
import { createScheduling, type Scheduling } from '../workers/scheduling.js';
import { nameOf } from './agent-name.js';
import { createClientPart, type ClientPart } from './client.js';
import type { AgentDependencies } from './dependencies.js';
import type { Services } from './services.js';
import { followPeers } from './peers.js';
import { createServerPart, type ServerPart } from './cluster-endpoint.js';

/** The parts of an agent that is a server, and maybe a client too. */
export interface ServerParts {
  readonly leader: Leadership;
  readonly scheduling: Scheduling;
  readonly server: ServerPart;
  readonly client: ClientPart | null;
  /** Shares the work with the other servers there are, from now on. */
  followPeers(): void;
}

/** Puts the parts together; the workers begin at once. @throws AddressError for addresses that cannot be read. */
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
  if (leader.current().location === 'here' && !config.server.pauseEvalBroker) scheduling.start();
  return {
    leader,
    scheduling,
    server,
    client,
    followPeers() {
      hasPeers = followPeers(server.membership, scheduling.pool.adjust);
    },
  };
}
