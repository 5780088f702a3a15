import { createSlices, isLoopbackAddress } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import { createAccessResolver } from './acl/access-resolver.js';
import { readPolicyRules } from './acl/policy-rules.js';
import { createAclReset } from './agent/acl-reset.js';
import { advertise } from './agent/advertise.js';
import { createServices } from './agent/answerers.js';
import { createClientPart } from './agent/client-part.js';
import { followPeers } from './agent/peers.js';
import { describeConfig } from './agent/self-config.js';
import { createServerPart } from './agent/server-part.js';
import { collectStats } from './agent/stats.js';
import { createStopping } from './agent/stopping.js';
import type { AgentConfig, TlsMaterial } from './agent-config.js';
import { createStampClock, type Clock } from './clock.js';
import { noRows, restoreCluster, type ClusterRows } from './cluster/cluster-rows.js';
import { createSingleServer } from './cluster/consensus.js';
import { readRegions } from './cluster/regions.js';
import { readImport } from './cluster/import.js';
import type { Machine } from './host/machine.js';
import { accessOf } from './http/access.js';
import type { AgentContext, AgentName } from './http/agent-context.js';
import { SchedulerError } from './errors.js';
import { createForwarder } from './http/forwarder.js';
import { createInFlight } from './http/in-flight.js';
import { buildServer } from './http/server.js';
import type { LogHub } from './logs/log-hub.js';
import { createMetrics } from './metrics/metrics.js';
import { createRuntimeProbe } from './metrics/runtime-probe.js';
import { createIntern, type Intern } from './model/intern.js';
import { createProfiles } from './profiles/profiles.js';
import { sampleCluster } from './sample/sample-cluster.js';
import { createBlockingQueries, type BlockingQueries } from './state/blocking-query.js';
import { openState, type State } from './state/state.js';
import type { Storage } from './storage/storage.js';
import { createScheduling } from './workers/scheduling.js';

/** What an agent needs from the world. */
export interface AgentDependencies {
  readonly clock: Clock;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly storage: Storage;
  readonly logs: LogHub;
  readonly machine: Machine;
  /** The command line of this process. */
  readonly commandLine: readonly string[];
  /** The process report of the runtime, as an object. */
  readonly report: () => unknown;
  /** The lines of a file, for imports. */
  readonly readLines: (file: string) => AsyncIterable<string>;
  /** What the files hold that the configuration names; left out without TLS. */
  readonly tls?: TlsMaterial | null;
}

/** An agent, put together and filled, not yet listening. */
export interface Agent {
  readonly app: FastifyInstance;
  readonly state: State;
  readonly blocking: BlockingQueries;
  /** Starts to listen; resolves with the address, such as `http://127.0.0.1:4646`. */
  listen(): Promise<string>;
  /** Host and port for other agents, once it listens. */
  rpcAddress(): string;
  /** Host and port of the gossip, once it listens. */
  gossipAddress(): string;
  /** Lets waiting clients answer, finishes what is under way, and closes the state. */
  close(): Promise<void>;
}

/**
 * Puts an agent together.
 *
 * @throws ImportError when the file to import cannot be used, RegionError for a server that no request may be sent to.
 */
export async function createAgent(config: AgentConfig, dependencies: AgentDependencies): Promise<Agent> {
  const { clock, random, uuid, storage, logs, commandLine, machine, report } = dependencies;
  const regions = readRegions(config.region, config.regions);
  const intern = createIntern();
  const state = await openState({ storage, clock });
  const rows = await readFill(config, dependencies, intern);
  // A store that has been used before keeps what it has.
  if (state.snapshot().index === 0) {
    await state.write((transaction) => restoreCluster(transaction, rows, intern));
  }
  const blocking = createBlockingQueries({ state, clock, random, maxWaiters: config.maxWaiters });
  const name = nameOf(config);
  const leader = createSingleServer({
    bootstrapExpect: config.bootstrapExpect,
    self: () => ({ name: name.member, address: part.rpcAddress() }),
    clock,
  });
  // The turns are those of the event loop, whatever clock the agent lives by.
  const slices = createSlices({
    now: () => performance.now(),
    soon: (action) => void setImmediate(action),
  });
  const loopback = isLoopbackAddress(config.bind);
  const inFlight = createInFlight();
  const metrics = createMetrics({
    state: { snapshot: () => state.snapshot(), waiting: () => blocking.waiting },
    inFlight: () => inFlight.requests().length,
    runtime: createRuntimeProbe(),
    now: clock.now,
  });
  const mayProfile = config.enableDebug === true || config.acl.enabled;
  const profiles = mayProfile
    ? await createProfiles({ clock, commandLine, report, requests: inFlight.requests })
    : null;
  const access = createAccessResolver({ enabled: config.acl.enabled, clock, readRules: readPolicyRules });
  const stamp = createStampClock(clock);
  const serviceOf = createServices({ clock, logs, machine, profiles });
  const rpcTls = config.tls?.rpc === true ? (dependencies.tls ?? null) : null;
  const workersLog = logs.part('workers');
  let hasPeers = (): boolean => false;
  const scheduling = createScheduling({
    ...{ state, clock, slices, random, uuid, stamp, intern, serverId: name.member },
    config: {
      numSchedulers: config.server.numSchedulers ?? machine.cpuCount,
      enabledSchedulers: config.server.enabledSchedulers,
    },
    leadsOthers: () => leader.isLeader && hasPeers(),
    warn: (message, details) => workersLog.warn(details, message),
  });
  const workers = scheduling.pool;
  const part = createServerPart(config, name, {
    ...{ clock, random, uuid, stamp, intern, logs, machine, state, blocking, leader, access, workers },
    service: serviceOf(name.member),
    tls: rpcTls,
  });
  const client = config.client.enabled
    ? await createClientPart(config, {
        ...{ clock, random, uuid, intern, logs, machine, serviceOf },
        tls: rpcTls,
        ownServer: part.rpc,
      })
    : null;
  if (leader.isLeader && !config.server.pauseEvalBroker) scheduling.start();
  const stopping = createStopping();
  let httpPort = config.port;
  const agent: AgentContext = {
    limits: config.http,
    name,
    debug: config.enableDebug === true,
    acl: config.acl.enabled,
    accessOf: async (request) => accessOf(request, { access, state }),
    describeConfig: () =>
      describeConfig(config, {
        http: advertise(config, httpPort, machine),
        rpc: part.rpcAddress(),
        serf: advertise(config, part.membership.self().Port, machine),
      }),
    stats: () =>
      collectStats(
        machine,
        inFlight.requests().length,
        {
          ...{ state, leader, membership: part.membership, rpcAddress: part.rpcAddress },
          bootstrapExpect: config.bootstrapExpect,
          knownRegions: regions.names.length,
          connectedNodes: part.connectedNodes,
        },
        client?.figures() ?? null,
      ),
    metrics,
    onStop: stopping.on,
    server: part.server,
    client: client?.client ?? null,
  };
  const app = buildServer({
    state,
    blocking,
    leader,
    slices,
    clock,
    logs,
    inFlight,
    metrics,
    agent,
    uuid,
    intern,
    access,
    aclReset: createAclReset(config.dataDir, machine),
    guard: { loopback, hostNames: config.hostNames.map((name) => name.toLowerCase()) },
    limits: config.http,
    tls: config.tls?.http === true ? (dependencies.tls ?? null) : null,
    responseHeaders: config.responseHeaders,
    filters: config.filters,
    answers: config.answers,
    unresolved: config.unresolved,
    rpcAddress: part.rpcAddress,
    forwarder: createForwarder({ regions, ca: dependencies.tls?.ca ?? null, logger: logs.part('http') }),
    region: config.region,
    stamp,
  });
  app.addHook('preClose', async () => {
    slices.stop(new SchedulerError('stopping', 'The agent is stopping, ask another one'));
  });
  return {
    app,
    state,
    blocking,
    rpcAddress: part.rpcAddress,
    gossipAddress: () => advertise(config, part.membership.self().Port, machine),
    async listen() {
      if (!loopback && !config.acl.enabled) {
        logs.logger.warn(
          `Listening on ${config.bind} without access control: everybody who reaches it may write`,
        );
      }
      await part.start(app);
      hasPeers = followPeers(part.membership, workers.adjust);
      const address = await app.listen({ host: config.bind, port: config.port });
      httpPort = Number(new URL(address).port) || config.port;
      await client?.start(advertise(config, httpPort, machine));
      return address;
    },
    async close() {
      stopping.begin();
      await client?.close();
      await scheduling.stop();
      // Requests that agents have passed on wait in the app, so both must close together.
      await Promise.all([app.close(), part.close()]);
      profiles?.close();
      metrics.close();
      await state.close();
    },
  };
}

/** What an agent is called: its member has the name of its region behind its own. */
export function nameOf({ datacenter, nodeName, region }: AgentConfig): AgentName {
  return { node: nodeName, member: `${nodeName}.${region}`, region, datacenter };
}

async function readFill(
  { fill }: AgentConfig,
  { readLines }: AgentDependencies,
  intern: Intern,
): Promise<ClusterRows> {
  switch (fill.kind) {
    case 'nothing':
      return noRows();
    case 'sample':
      return sampleCluster(intern);
    case 'import':
      return readImport(readLines(fill.file), fill.file, intern);
  }
}
