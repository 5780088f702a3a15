import type { ApiResponse } from './api/endpoint-result.js';
import type { ApiRequest } from './api/request.js';
import type { Clock } from './clock.js';
import { createForwarding, type Forward } from './http/forwarding.js';
import { defaultListenerLimits } from './http/limits.js';
import { createPeerClient, type PeerClient } from './http/peer-client.js';
import { createPeerServer, type PeerServer, type PeerTls } from './http/peer-server.js';
import type { Logger } from './logger.js';
import { ownPaths } from './routes/status-routes.js';
import type { ServerConfig } from './server-config.js';
import type { Standing } from './standing.js';
import type { StoreElection } from './storage/driver.js';

/** The link of a server to those that share its store. */
export interface PeerLink {
  listen(): Promise<void>;
  readonly forward: Forward;
  close(): Promise<void>;
}

export interface PeerLinkOptions {
  readonly config: Pick<ServerConfig, 'listeners'>;
  readonly parts: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly readText: (file: string) => Promise<string>;
    readonly readSecret: (file: string) => Promise<string>;
  };
  readonly api: (request: ApiRequest) => Promise<ApiResponse>;
}

export function createPeerLink(
  election: StoreElection,
  standing: Standing,
  { config, parts, api }: PeerLinkOptions,
): PeerLink {
  const { clock, logger } = parts;
  let server: PeerServer | null = null;
  let client: PeerClient | null = null;
  let forward: Forward | null = null;
  const peerKey = (): Buffer | null => standing.peerKey();

  async function readTls(): Promise<PeerTls | null> {
    const { tls } = election.peer;
    if (tls === null) return null;
    const [cert, key, ca] = await Promise.all([
      parts.readText(tls.certFile),
      parts.readSecret(tls.keyFile),
      parts.readText(tls.caFile),
    ]);
    return { cert, key, ca };
  }

  return {
    async listen() {
      const tls = await readTls();
      client = createPeerClient(tls);
      forward = createForwarding({
        ...{ client, clock, peerKey, ownPaths },
        whereabouts: (signal) => standing.whereabouts(signal),
        subscribe: (listener) => election.subscribe(listener),
        activeAddress() {
          const active = election.current();
          return active.location === 'there' ? active.address : null;
        },
      });
      server = createPeerServer({
        ...{ ...election.peer.listen, tls, peerKey, api, logger },
        isActive: () => standing.isActive(),
        limits: config.listeners[0]?.limits ?? defaultListenerLimits,
      });
      await server.listen();
    },
    forward: async (request, body) => forward?.(request, body) ?? null,
    async close() {
      await server?.close();
      client?.close();
    },
  };
}
