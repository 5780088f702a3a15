import type { AgentConfig } from './settings/agent-config.js';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';
import type { AgentContext } from '../api/kernel/agent-context.js';
import type { AdvertisedAddresses } from './advertised-address.js';
import { nameOf } from './agent-name.js';
import type { ClientRole } from './client.js';
import { describeConfig } from './self-config.js';
import type { ServerRole } from './server.js';
import type { Observation } from './services.js';
import { collectStats } from './stats.js';

/** The parts of an agent that its own endpoints use. */
export interface AgentContextParts extends Pick<AgentContext, 'accessOf' | 'docs' | 'onStop' | 'site'> {
  readonly addresses: AdvertisedAddresses;
  readonly machine: Machine;
  readonly observation: Observation;
  readonly server: ServerRole | null;
  readonly client: ClientRole | null;
}

/** Creates the context for the endpoints about this agent. */
export function createAgentContext(config: AgentConfig, parts: AgentContextParts): AgentContext {
  const { accessOf, addresses, client, docs, machine, observation, onStop, server, site } = parts;
  const { inFlight, metrics } = observation;
  return {
    limits: config.http,
    name: nameOf(config),
    debug: config.enableDebug === true,
    acl: config.acl.enabled,
    accessOf,
    describeConfig: () =>
      describeConfig(config, {
        http: addresses.format(addresses.of('http').port),
        rpc: addresses.format(addresses.of('rpc').port),
        serf: addresses.format(server?.endpoints.membership.self().Port ?? config.serfPort),
      }),
    stats: () =>
      collectStats(machine, inFlight.requests().length, server?.statsSource ?? null, client?.stats() ?? null),
    metrics,
    onStop,
    site,
    docs,
    server: server?.endpoints ?? null,
    client: client?.endpoints ?? null,
  };
}
