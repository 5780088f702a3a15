import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Watches for connections that have not sent any request. The runtime does not count them among the idle ones, so they
 * hold a server that closes until they time out; browsers and pools open such connections ahead of need.
 *
 * @returns closes those that there are.
 */
export function watchUnusedConnections(server: Server | SecureServer): () => void {
  const unused = new Set<Socket>();
  // A secure server tells of a connection again once it can be read, and that is the one of the requests.
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage) => void unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
