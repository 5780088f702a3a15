import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * Wraps a socket as a plain stream. HTTP/2 takes over the native handle of a socket and crashes the process if a write, such as
 * the upgrade response, is still pending. A plain stream is only read and written. If a stream ends, HTTP/2 shuts down its own
 * side and crashes if it still has data to send. So this stream never ends; it is closed when the peer has sent everything.
 */
export function detachSocket(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) socket.pause();
  });
  // The HTTP/2 session reports a broken connection, so errors are not reported here.
  for (const event of ['end', 'error', 'close']) socket.on(event, () => stream.destroy());
  return stream;
}
