import { acceptQueue, isLoopbackAddress, type SiteGuard } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import type { AgentConfig } from '../agent-config.js';
import type { LogHub } from '../logs/log-hub.js';

/** Where the HTTP API of an agent is found. */
export interface HttpListener {
  /** The port that is configured, and the one there is once it listens. */
  port(): number;
  /** Listens; resolves with the address, such as `http://127.0.0.1:4646`. @throws the listener's error. */
  listen(app: FastifyInstance): Promise<string>;
}

export function createHttpListener(config: AgentConfig, logs: LogHub): HttpListener {
  const { bind } = config;
  let { port } = config;
  return {
    port: () => port,
    async listen(app) {
      if (!isLoopbackAddress(bind) && !config.acl.enabled) {
        logs.logger.warn(`Listening on ${bind} without access control: everybody who reaches it may write`);
      }
      const address = await app.listen({ host: bind, port, backlog: acceptQueue });
      port = Number(new URL(address).port) || port;
      return address;
    },
  };
}

/** Which names the agent answers to, and so which pages of other sites it refuses. */
export function siteGuardOf({ bind, hostNames }: AgentConfig): SiteGuard {
  return {
    loopback: isLoopbackAddress(bind),
    hostNames: hostNames.map((name) => name.toLowerCase()),
  };
}
