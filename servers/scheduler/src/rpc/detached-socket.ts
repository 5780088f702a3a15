import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A socket as a plain stream. HTTP/2 takes over the native handle of a socket that it is given, and ends the process
 * when a write on it, such as that of the answer to the upgrade, has not been reported yet; a stream it only reads and
 * writes.
 */
export function detachSocket(socket: Socket): Duplex {
  const stream = Duplex.from({ readable: socket, writable: socket });
  // A connection that breaks is told by the session.
  socket.on('error', () => stream.destroy());
  stream.on('error', () => socket.destroy());
  stream.once('close', () => socket.destroy());
  socket.once('close', () => stream.destroy());
  return stream;
}
