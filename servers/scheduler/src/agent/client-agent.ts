import { isLoopbackAddress } from '@tamis/http';
import { fullAccess } from '../acl/access.js';
import { nameOf, type Agent, type AgentDependencies } from '../agent.js';
import type { AgentConfig } from '../agent-config.js';
import { SchedulerError } from '../errors.js';
import { secretOf } from '../http/access.js';
import type { AgentAccess, AgentClient, AgentContext } from '../http/agent-context.js';
import { buildClientServer } from '../http/client-server.js';
import { createInFlight } from '../http/in-flight.js';
import { createMetrics } from '../metrics/metrics.js';
import { createRuntimeProbe } from '../metrics/runtime-probe.js';
import { createIntern } from '../model/intern.js';
import { createProfiles } from '../profiles/profiles.js';
import { rpcPaths } from '../rpc/protocol.js';
import type { RpcClient } from '../rpc/rpc-client.js';
import { advertise } from './advertise.js';
import { createServices } from './answerers.js';
import { createClientPart } from './client-part.js';
import { describeConfig } from './self-config.js';
import { collectStats } from './stats.js';
import { createStopping } from './stopping.js';

/** An agent that is a client and no server: it has no state of its own. */
export type ClientAgent = Pick<Agent, 'app' | 'listen' | 'close'>;

export type ClientAgentDependencies = Omit<AgentDependencies, 'storage' | 'readLines'>;

/** Puts a client together. @throws AddressError for a server's address that cannot be read. */
export async function createClientAgent(
  config: AgentConfig,
  dependencies: ClientAgentDependencies,
): Promise<ClientAgent> {
  const { clock, commandLine, logs, machine, random, report, uuid } = dependencies;
  const inFlight = createInFlight();
  const metrics = createMetrics({
    state: null,
    inFlight: () => inFlight.requests().length,
    runtime: createRuntimeProbe(),
    now: clock.now,
  });
  const mayProfile = config.enableDebug === true || config.acl.enabled;
  const profiles = mayProfile
    ? await createProfiles({ clock, commandLine, report, requests: inFlight.requests })
    : null;
  const tls = dependencies.tls ?? null;
  const part = await createClientPart(config, {
    ...{ clock, random, uuid, logs, machine },
    intern: createIntern(),
    tls: config.tls?.rpc === true ? tls : null,
    ownServer: null,
    serviceOf: createServices({ clock, logs, machine, profiles }),
  });
  const { client, rpc } = part;
  const stopping = createStopping();
  let httpPort = config.port;
  const advertised = (port: number): string => advertise(config, port, machine);
  const agent: AgentContext = {
    limits: config.http,
    name: nameOf(config),
    debug: config.enableDebug === true,
    acl: config.acl.enabled,
    accessOf: (request) => askRights(config, rpc, client, secretOf(request)),
    describeConfig: () =>
      describeConfig(config, {
        http: advertised(httpPort),
        rpc: advertised(config.rpcPort),
        serf: advertised(config.serfPort),
      }),
    stats: () => collectStats(machine, inFlight.requests().length, null, part.figures()),
    metrics,
    onStop: stopping.on,
    server: null,
    client,
  };
  const loopback = isLoopbackAddress(config.bind);
  const app = buildClientServer(
    {
      ...{ clock, logs, inFlight, metrics },
      limits: config.http,
      tls: config.tls?.http === true ? tls : null,
      guard: { loopback, hostNames: config.hostNames.map((name) => name.toLowerCase()) },
      responseHeaders: config.responseHeaders,
    },
    agent,
  );
  return {
    app,
    async listen() {
      if (!loopback && !config.acl.enabled) {
        logs.logger.warn(
          `Listening on ${config.bind} without access control: everybody who reaches it may write`,
        );
      }
      const address = await app.listen({ host: config.bind, port: config.port });
      httpPort = Number(new URL(address).port) || config.port;
      await part.start(advertised(httpPort));
      return address;
    },
    async close() {
      stopping.begin();
      await part.close();
      await app.close();
      profiles?.close();
      metrics.close();
    },
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
