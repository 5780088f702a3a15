import type { AgentConfig } from '../agent-config.js';
import { accessOf } from '../http/access.js';
import type { AgentContext, OnStop } from '../http/agent-context.js';
import type { Machine } from '../host/machine.js';
import { advertise } from './advertised-address.js';
import { nameOf } from './agent-name.js';
import type { Services } from './services.js';
import { describeConfig } from './self-config.js';
import type { ServerParts } from './server.js';
import { collectStats } from './stats.js';

/** What the endpoints of this one agent work with, where it is a server. */
export function serverContext(
  config: AgentConfig,
  machine: Machine,
  { access, observation, state }: Services,
  { client, leader, server }: ServerParts,
  surroundings: {
    readonly httpPort: () => number;
    readonly regions: readonly string[];
    readonly onStop: OnStop;
  },
): AgentContext {
  const { httpPort, regions, onStop } = surroundings;
  const { connectedNodes, membership, rpcAddress } = server;
  const { inFlight, metrics } = observation;
  const { bootstrapExpect } = config;
  const figures = { state, leader, membership, rpcAddress, bootstrapExpect, regions, connectedNodes };
  return {
    limits: config.http,
    name: nameOf(config),
    debug: config.enableDebug === true,
    acl: config.acl.enabled,
    accessOf: async (request) => accessOf(request, { access, state }),
    describeConfig: () =>
      describeConfig(config, {
        http: advertise(config, httpPort(), machine),
        rpc: rpcAddress(),
        serf: advertise(config, membership.self().Port, machine),
      }),
    stats: () => collectStats(machine, inFlight.requests().length, figures, client?.figures() ?? null),
    metrics,
    onStop,
    server: server.server,
    client: client?.client ?? null,
  };
}
