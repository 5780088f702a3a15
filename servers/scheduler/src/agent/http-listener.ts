import { acceptQueue, isLoopbackAddress, type OriginPolicy } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import type { AgentConfig } from './settings/agent-config.js';
import type { LogHub } from '../services/logs/log-hub.js';
import type { AdvertisedAddresses } from './advertised-address.js';

/**
 * Starts to listen for clients of the HTTP API.
 *
 * @returns its address, such as `http://127.0.0.1:4646`.
 * @throws the listener's error.
 */
export async function listenForHttp(
  app: FastifyInstance,
  { acl, bind, port }: AgentConfig,
  { addresses, logs }: { readonly addresses: AdvertisedAddresses; readonly logs: LogHub },
): Promise<string> {
  if (!isLoopbackAddress(bind) && !acl.enabled) {
    logs.logger.warn(`Listening on ${bind} without access control: everybody who reaches it may write`);
  }
  const address = await app.listen({ host: bind, port, backlog: acceptQueue });
  addresses.listening('http', Number(new URL(address).port) || port);
  return address;
}

/** Returns the accepted host names. Requests from pages of other sites are rejected. */
export function originPolicyOf({ bind, hostNames }: AgentConfig): OriginPolicy {
  return {
    loopback: isLoopbackAddress(bind),
    hostNames: hostNames.map((name) => name.toLowerCase()),
  };
}
