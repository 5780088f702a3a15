import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Prepares a server to close as soon as all requests are answered. By itself the runtime waits for two more kinds of
 * connections until they time out: those that have not sent any request, which browsers and pools open ahead of need,
 * and those whose answer began before the server was told to close, which stay open for another request.
 *
 * @returns to be called when the server begins to close.
 */
export function prepareClose(server: Server | SecureServer): () => void {
  const unused = new Set<Socket>();
  let isClosing = false;
  // A secure server tells of a connection again once it can be read, and that is the one of the requests.
  const event = 'setSecureContext' in server ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unused.delete(socket);
    response.once('close', () => {
      // The connection is idle only after all that listens for the end of the answer.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  });
  return () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
  };
}
