import type { FastifyInstance } from 'fastify';
import { installDefaults } from 'tamis/node-defaults';
import { createRowBudget } from 'tamis/query';
import { createBootstrapReset } from '../services/acl/bootstrap-reset.js';
import { createAdvertisedAddresses } from './advertised-address.js';
import { createAgentContext } from './agent-context.js';
import { createServerAgreement, type ServerLeaderRouting } from './leader-routing.js';
import type { AgentDependencies } from './agent-dependencies.js';
import { createClient } from './client.js';
import { listenForHttp, originPolicyOf } from './http-listener.js';
import { createServer, type ServerRole } from './server.js';
import { createServices, type Services } from './services.js';
import { createShutdown } from './shutdown.js';
import type { AgentConfig, TlsMaterial } from './settings/agent-config.js';
import { readRegions } from '@tamis/scheduler-state/cluster/regions.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { newestAccessOf } from '../api/kernel/access.js';
import type { AgentContext } from '../api/kernel/agent-context.js';
import { renewCertificate } from '../api/kernel/certificate.js';
import { readSiteOnce } from '../api/kernel/site.js';
import { createForwarder, type Forwarder } from '../api/kernel/forwarder.js';
import { createQueryGate } from '../api/kernel/query-gate.js';
import { createStreamLimit } from '../api/kernel/stream-limit.js';
import { buildServer } from '../api/server.js';
import { createRpcClient, maxRelayed, type RpcClient } from '../rpc/rpc-client.js';

export type { AgentDependencies } from './agent-dependencies.js';

/** A complete agent that is not listening yet. */
export type Agent = Awaited<ReturnType<typeof createAgent>>;

/**
 * Creates an agent: services, its server and client roles, and the HTTP API.
 *
 * @throws ImportError if the import file is invalid, RegionError for an unusable server of another region, AddressError for an
 * invalid address.
 */
export async function createAgent(config: AgentConfig, dependencies: AgentDependencies) {
  const { clock, logs, machine, shared = null, tls = null } = dependencies;
  // The bundle contains the engine's sources, in which hints and generated code are opt-in.
  installDefaults();
  const regions = readRegions(config.region, config.regions);
  const addresses = createAdvertisedAddresses(config, machine);
  const services = await createServices(config, { ...dependencies, addresses });
  const { access, observation, state } = services;
  const rpcTls = config.tls?.rpc === true ? tls : null;
  const rpc = createRpcClient(rpcTls, maxRelayed);
  const leaderRouting = createServerAgreement(services, { clock, rpc, shared });
  const cluster = { ...dependencies, ...services, addresses, tls: rpcTls };
  const server = await createServer(config, {
    ...cluster,
    leaderRouting: leaderRouting.rpc,
    forwardToServer: leaderRouting.forwardToServer,
    forwardOnBehalf: leaderRouting.forwardOnBehalf,
    regions: regions.names,
    rpc,
  });
  const { serviceOf } = observation;
  const ownServer = (): ReturnType<typeof addresses.of> => addresses.of('rpc');
  const client = config.client.enabled
    ? await createClient(config, { ...cluster, serviceOf, ownServer })
    : null;
  const shutdown = createShutdown(dependencies);
  const context = createAgentContext(config, {
    ...{ addresses, client, machine, observation, server },
    accessOf: (request) => newestAccessOf(request, { access, state, catchUp: leaderRouting.api.catchUp }),
    onStop: shutdown.onStop,
    site: dependencies.site ?? null,
    docs: readSiteOnce(dependencies.docsFolder),
  });
  const forwarder = createForwarder({ regions, ca: tls?.ca ?? null, logger: logs.part('http') });
  const app = buildApi(config, dependencies, { services, server, forwarder, context, leaderRouting, rpc });

  async function start(): Promise<string> {
    await server.start(app);
    const address = await listenForHttp(app, config, { addresses, logs });
    server.stand(`${new URL(address).protocol}//${addresses.format(addresses.of('http').port)}`);
    await client?.start(addresses.format(addresses.of('http').port));
    return address;
  }

  /**
   * Responds to waiting clients, finishes requests in progress, stops the tasks and closes the state. Running allocations stay
   * recorded and restart with the agent.
   */
  async function close(): Promise<void> {
    shutdown.begin();
    // From here on the recorded state of this client's allocations does not change.
    client?.stopReporting();
    await server.stopWork();
    // Requests forwarded by agents wait in the app, so both must close together.
    await shutdown.withinGrace(Promise.all([app.close(), server.close()]));
    observation.close();
    await client?.close();
    // Last, so that no other agent takes over the directory while tasks are still ending.
    await services.election?.close();
    await state.close();
  }

  return {
    app,
    state,
    blocking: services.blocking,
    /** Returns host and port for other agents, once listening. */
    rpcAddress: server.rpcAddress,
    /** Returns host and port of the gossip, once listening. */
    gossipAddress: (): string => addresses.format(server.endpoints.membership.self().Port),
    /** Uses a new certificate on both ports for new connections, and trusts its authorities. */
    renew(material: TlsMaterial): void {
      renewCertificate(app.server, material);
      forwarder.renew(material.ca);
      if (rpcTls === null) return;
      server.renew(material);
      for (const each of [rpc, client?.rpc]) each?.renew(material);
    },
    /** Starts to listen. Resolves with the address, such as `http://127.0.0.1:4646`. Closes the agent on failure. */
    async listen(): Promise<string> {
      try {
        return await start();
      } catch (error) {
        // One of several listeners may be open already and would keep the process alive.
        await close();
        throw error;
      }
    },
    close,
    /** Kills the tasks without waiting, because the process is about to end. */
    abandon: () => client?.abandon(),
  };
}

interface ApiParts {
  readonly services: Services;
  readonly server: ServerRole;
  readonly forwarder: Forwarder;
  readonly context: AgentContext;
  readonly leaderRouting: ServerLeaderRouting;
  readonly rpc: RpcClient;
}

function buildApi(
  config: AgentConfig,
  { clock, logs, machine, tls = null, uuid }: AgentDependencies,
  { services, server, forwarder, context, leaderRouting, rpc }: ApiParts,
): FastifyInstance {
  const { inFlight, metrics } = services.observation;
  const app = buildServer({
    ...services,
    ...{ clock, inFlight, logs, metrics, uuid, forwarder },
    agent: context,
    leaderRouting: leaderRouting.api,
    tokenLifetime: config.tokenLifetime,
    aclReset: createBootstrapReset(config.dataDir, machine),
    guard: originPolicyOf(config),
    limits: config.http,
    tls: config.tls?.http === true ? tls : null,
    responseHeaders: config.responseHeaders,
    filters: config.filters,
    responseCache: config.responseCache,
    rowBudget: createRowBudget(),
    queries: createQueryGate(config.maxQueries, clock),
    unresolved: config.unresolved,
    fileStreams: createStreamLimit(config.maxFileStreams),
    serverAddresses: server.serverAddresses,
    region: config.region,
  });
  app.addHook('preClose', async () => {
    services.slices.stop(new SchedulerError('stopping', 'The agent is stopping; use another one'));
    rpc.close();
  });
  return app;
}
