import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Prepares a server to close once all requests are completed. By default Node.js waits for the timeout of two more types of
 * connections. One has no request yet: browsers and pools open them in advance. The other had a response in progress when the
 * server was closed, and stays open for another request.
 *
 * @returns a function to call when the server starts to close.
 */
export function prepareClose(server: Server | SecureServer): () => void {
  const unused = new Set<Socket>();
  let isClosing = false;
  // A TLS server emits a second socket after the handshake; requests use that one.
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
