import type { FastifyInstance } from 'fastify';
import { createAclReset } from './agent/acl-reset.js';
import { advertise } from './agent/advertised-address.js';
import type { AgentDependencies } from './agent/dependencies.js';
import { createServices, type Services } from './agent/services.js';
import { createHttpListener, siteGuardOf } from './agent/http-listener.js';
import { serverContext } from './agent/server-context.js';
import { createServerParts, type ServerParts } from './agent/server.js';
import { createShutdown, withinGrace } from './agent/shutdown.js';
import type { AgentConfig } from './agent-config.js';
import { readRegions, type Regions } from './cluster/regions.js';
import { SchedulerError } from './errors.js';
import type { AgentContext } from './http/agent-context.js';
import { createForwarder } from './http/forwarder.js';
import { buildServer } from './http/server.js';
import type { BlockingQueries } from './state/blocking-query.js';
import type { State } from './state/state.js';

export type { AgentDependencies } from './agent/dependencies.js';

/** An agent, put together and filled, not yet listening. */
export interface Agent {
  readonly app: FastifyInstance;
  readonly state: State;
  readonly blocking: BlockingQueries;
  /** Starts to listen; resolves with the address, such as `http://127.0.0.1:4646`. Closes the agent if it cannot. */
  listen(): Promise<string>;
  /** Host and port for other agents, once it listens. */
  rpcAddress(): string;
  /** Host and port of the gossip, once it listens. */
  gossipAddress(): string;
  /**
   * Lets waiting clients answer, finishes what is under way, ends the tasks, and closes the state. What runs stays on
   * the books: it starts again with the agent.
   */
  close(): Promise<void>;
  /** Ends the tasks by force and waits for nothing: the process is about to end. */
  abandon(): void;
}

/**
 * Puts an agent together.
 *
 * @throws ImportError when the file to import cannot be used, RegionError for a server that no request may be sent to.
 */
export async function createAgent(config: AgentConfig, dependencies: AgentDependencies): Promise<Agent> {
  const { logs, machine } = dependencies;
  const regions = readRegions(config.region, config.regions);
  const services = await createServices(config, dependencies);
  const parts = await createServerParts(config, dependencies, services);
  const shutdown = createShutdown();
  const listener = createHttpListener(config, logs);
  const context = serverContext(config, machine, services, parts, {
    httpPort: listener.port,
    regions: regions.names,
    onStop: shutdown.on,
  });
  const app = buildApp(config, dependencies, { services, parts, regions, context });
  const { blocking, observation, state } = services;
  const { client, leaderTasks, scheduling, server } = parts;

  async function start(): Promise<string> {
    await server.start(app);
    parts.followPeers();
    const address = await listener.listen(app);
    await client?.start(advertise(config, listener.port(), machine));
    return address;
  }

  async function close(): Promise<void> {
    shutdown.begin();
    // From here on the books say of this client's work what they say now.
    client?.stopReporting();
    await scheduling.close();
    await leaderTasks.stop();
    // Requests that agents have passed on wait in the app, so both must close together.
    await withinGrace(dependencies, Promise.all([app.close(), server.close()]));
    observation.close();
    await client?.close();
    // Last, so that no other agent takes over the directory while tasks are still ending.
    await state.close();
  }

  return {
    app,
    state,
    blocking,
    rpcAddress: server.rpcAddress,
    gossipAddress: () => advertise(config, server.membership.self().Port, machine),
    async listen() {
      try {
        return await start();
      } catch (error) {
        // One of several listeners may be there already, and would keep the process alive.
        await close();
        throw error;
      }
    },
    close,
    abandon: () => client?.abandon(),
  };
}

interface AppParts {
  readonly services: Services;
  readonly parts: ServerParts;
  readonly regions: Regions;
  readonly context: AgentContext;
}

function buildApp(
  config: AgentConfig,
  { clock, logs, machine, tls = null, uuid }: AgentDependencies,
  { services, parts, regions, context }: AppParts,
): FastifyInstance {
  const { access, blocking, intern, lists, observation, slices, stamp, state } = services;
  const { inFlight, metrics } = observation;
  const app = buildServer({
    ...{ access, blocking, clock, inFlight, intern, lists, logs, metrics, slices, stamp, state, uuid },
    agent: context,
    leader: parts.leader,
    tokenLifetime: config.tokenLifetime,
    aclReset: createAclReset(config.dataDir, machine),
    guard: siteGuardOf(config),
    limits: config.http,
    tls: config.tls?.http === true ? tls : null,
    responseHeaders: config.responseHeaders,
    filters: config.filters,
    answers: config.answers,
    unresolved: config.unresolved,
    rpcAddress: parts.server.rpcAddress,
    forwarder: createForwarder({ regions, ca: tls?.ca ?? null, logger: logs.part('http') }),
    region: config.region,
  });
  app.addHook('preClose', async () => {
    slices.stop(new SchedulerError('stopping', 'The agent is stopping, ask another one'));
  });
  return app;
}
