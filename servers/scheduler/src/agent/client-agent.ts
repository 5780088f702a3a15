import { fullAccess } from '../services/acl/access.js';
import type { Agent } from './agent.js';
import type { AgentConfig } from './settings/agent-config.js';
import { unreachable } from '@tamis/scheduler-model/base/errors.js';
import { secretOf } from '../api/kernel/access.js';
import type { AgentAccess } from '../api/kernel/agent-context.js';
import { renewCertificate } from '../api/kernel/certificate.js';
import { readSiteOnce } from '../api/kernel/site.js';
import { buildClientServer } from '../api/client-server.js';
import { rpcPaths } from '../rpc/protocol.js';
import { createAdvertisedAddresses } from './advertised-address.js';
import { createAgentContext } from './agent-context.js';
import type { AgentDependencies } from './agent-dependencies.js';
import { createClient, type ClientRole } from './client.js';
import { listenForHttp, originPolicyOf } from './http-listener.js';
import { createObservation } from './services.js';
import { createShutdown } from './shutdown.js';

/** An agent that is only a client and has no state of its own. */
export type ClientAgent = Pick<Agent, 'app' | 'listen' | 'close' | 'abandon' | 'renew'>;

export type ClientAgentDependencies = Omit<AgentDependencies, 'storage' | 'readLines'>;

/** Creates a client agent. @throws AddressError for an invalid server address. */
export async function createClientAgent(
  config: AgentConfig,
  dependencies: ClientAgentDependencies,
): Promise<ClientAgent> {
  const { clock, logs, tls = null } = dependencies;
  const addresses = createAdvertisedAddresses(config, dependencies.machine);
  const observation = await createObservation(config, dependencies, null);
  const client = await createClient(config, {
    ...dependencies,
    serviceOf: observation.serviceOf,
    tls: config.tls?.rpc === true ? tls : null,
    ownServer: null,
  });
  const shutdown = createShutdown(dependencies);
  const context = createAgentContext(config, {
    ...{ addresses, client, observation },
    machine: dependencies.machine,
    accessOf: (request) => fetchRights(config, client, secretOf(request)),
    onStop: shutdown.onStop,
    server: null,
    site: dependencies.site ?? null,
    docs: readSiteOnce(dependencies.docsFolder),
  });
  const app = buildClientServer(
    {
      ...{ clock, logs, inFlight: observation.inFlight, metrics: observation.metrics },
      limits: config.http,
      tls: config.tls?.http === true ? tls : null,
      guard: originPolicyOf(config),
      responseHeaders: config.responseHeaders,
    },
    context,
  );
  return {
    app,
    renew(material) {
      renewCertificate(app.server, material);
      client.rpc.renew(material);
    },
    async listen() {
      const address = await listenForHttp(app, config, { addresses, logs });
      await client.start(addresses.format(addresses.of('http').port));
      return address;
    },
    async close() {
      shutdown.begin();
      client.stopReporting();
      await shutdown.withinGrace(app.close());
      observation.close();
      await client.close();
    },
    abandon: client.abandon,
  };
}

/** Fetches the rights of a token from the servers, because a client knows no tokens. */
async function fetchRights(
  { acl }: AgentConfig,
  { endpoints: { servers }, rpc }: ClientRole,
  secret: string,
): Promise<AgentAccess> {
  if (!acl.enabled) return fullAccess;
  const headers: Record<string, string> = secret === '' ? {} : { 'x-scheduler-token': secret };
  const response = await rpc.call(servers, { method: 'GET', path: rpcPaths.rights, headers });
  if (typeof response !== 'object' || response === null) {
    throw unreachable('rpc error: the server returned an unexpected response');
  }
  const { agentRead, agentWrite, nodeRead } = response as Readonly<Record<string, unknown>>;
  return {
    agent: (level) => (level === 'read' ? agentRead === true : agentWrite === true),
    node: (level) => level === 'read' && nodeRead === true,
  };
}
