import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { retryAfter } from './limits.js';

const refusal = 'Your IP is issuing too many concurrent connections, please rate limit your calls\n';

/**
 * Refuses more than `max` connections from one address with a 429, before reading from them. 0 disables the limit. Uses the
 * address of the connection: all clients of a proxy share one.
 *
 * @param refuse closes the connection, and may send a reason first.
 */
export function limitConnections(
  server: Server,
  max: number,
  refuse: (socket: Socket) => void = refuseInWords,
): void {
  if (max === 0) return;
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > max) refuse(socket);
  });
}

function refuseInWords(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    'HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n' +
      `Retry-After: ${retryAfter.value}\r\nContent-Length: ${refusal.length}\r\n\r\n${refusal}`,
  );
  // Prevents clients that keep their side open from using up the descriptors that the limit protects.
  socket.destroySoon();
}
