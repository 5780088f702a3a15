import { fullAccess } from '../acl/access.js';
import type { Agent } from '../agent.js';
import type { AgentConfig } from '../agent-config.js';
import { SchedulerError } from '../errors.js';
import type { Machine } from '../host/machine.js';
import { secretOf } from '../http/access.js';
import type { AgentAccess, AgentClient, AgentContext, OnStop } from '../http/agent-context.js';
import { buildClientServer } from '../http/client-server.js';
import { createIntern } from '../model/intern.js';
import { rpcPaths } from '../rpc/protocol.js';
import type { RpcClient } from '../rpc/rpc-client.js';
import { advertise } from './advertised-address.js';
import { nameOf } from './agent-name.js';
import { createClientPart, type ClientPart } from './client.js';
import type { AgentDependencies } from './dependencies.js';
import { createObservation, type Observation } from './services.js';
import { createHttpListener, siteGuardOf } from './http-listener.js';
import { describeConfig } from './self-config.js';
import { collectStats } from './stats.js';
import { createShutdown, withinGrace } from './shutdown.js';

/** An agent that is a client and no server: it has no state of its own. */
export type ClientAgent = Pick<Agent, 'app' | 'listen' | 'close' | 'abandon'>;

export type ClientAgentDependencies = Omit<AgentDependencies, 'storage' | 'readLines'>;

/** Puts a client together. @throws AddressError for a server's address that cannot be read. */
export async function createClientAgent(
  config: AgentConfig,
  dependencies: ClientAgentDependencies,
): Promise<ClientAgent> {
  const { clock, logs, machine, random, tls = null, uuid } = dependencies;
  const observation = await createObservation(config, dependencies, null);
  const { inFlight, metrics, serviceOf } = observation;
  const part = await createClientPart(config, {
    ...{ clock, random, uuid, logs, machine, serviceOf },
    intern: createIntern(),
    tls: config.tls?.rpc === true ? tls : null,
    ownServer: null,
  });
  const shutdown = createShutdown();
  const listener = createHttpListener(config, logs);
  const context = clientContext(config, machine, observation, part, {
    httpPort: listener.port,
    onStop: shutdown.on,
  });
  const app = buildClientServer(
    {
      ...{ clock, logs, inFlight, metrics },
      limits: config.http,
      tls: config.tls?.http === true ? tls : null,
      guard: siteGuardOf(config),
      responseHeaders: config.responseHeaders,
    },
    context,
  );
  return {
    app,
    async listen() {
      const address = await listener.listen(app);
      await part.start(advertise(config, listener.port(), machine));
      return address;
    },
    async close() {
      shutdown.begin();
      part.stopReporting();
      await withinGrace(dependencies, app.close());
      observation.close();
      await part.close();
    },
    abandon: part.abandon,
  };
}

/** What the endpoints of an agent work with that is only a client. */
function clientContext(
  config: AgentConfig,
  machine: Machine,
  { inFlight, metrics }: Observation,
  { client, figures, rpc }: ClientPart,
  { httpPort, onStop }: { readonly httpPort: () => number; readonly onStop: OnStop },
): AgentContext {
  const advertised = (port: number): string => advertise(config, port, machine);
  return {
    limits: config.http,
    name: nameOf(config),
    debug: config.enableDebug === true,
    acl: config.acl.enabled,
    accessOf: (request) => askRights(config, rpc, client, secretOf(request)),
    describeConfig: () =>
      describeConfig(config, {
        http: advertised(httpPort()),
        rpc: advertised(config.rpcPort),
        serf: advertised(config.serfPort),
      }),
    stats: () => collectStats(machine, inFlight.requests().length, null, figures()),
    metrics,
    onStop,
    server: null,
    client,
  };
}

/** What a token allows is for the servers to say: a client has none of the tokens. */
async function askRights(
  { acl }: AgentConfig,
  rpc: RpcClient,
  { servers }: AgentClient,
  secret: string,
): Promise<AgentAccess> {
  if (!acl.enabled) return fullAccess;
  const headers: Record<string, string> = secret === '' ? {} : { 'x-scheduler-token': secret };
  const answer = await rpc.ask(servers, { method: 'GET', path: rpcPaths.rights, headers });
  if (typeof answer !== 'object' || answer === null) {
    throw new SchedulerError('agent-unreachable', 'rpc error: the server has answered something else');
  }
  const { agentRead, agentWrite, nodeRead } = answer as Readonly<Record<string, unknown>>;
  return {
    agent: (level) => (level === 'read' ? agentRead === true : agentWrite === true),
    node: (level) => level === 'read' && nodeRead === true,
  };
}
