import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Prepares a server to close as soon as all requests are completed. By default the runtime waits for the timeout of two more
 * kinds of connections: those without any request, which browsers and pools open in advance, and those whose response began
 * before the server was closed, which stay open for another request.
 *
 * @returns to be called when the server begins to close.
 */
export function prepareClose(server: Server | SecureServer): () => void {
  const unused = new Set<Socket>();
  let isClosing = false;
  // A TLS server emits a second socket after the handshake, and that is the one with the requests.
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    response.once('close', () => {
      // The connection is idle only after all listeners for the end of the response have run.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  });
  return () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
  };
}
