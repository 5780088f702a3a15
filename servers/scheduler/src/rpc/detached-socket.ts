import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A socket as a plain stream. HTTP/2 takes over the native handle of a socket that it is given, and ends the process
 * when a write on it, such as that of the answer to the upgrade, has not been reported yet; a stream it only reads and
 * writes. Of a stream that ends it shuts down its own side, and ends the process when it has something to say before
 * that is done: so this one has no end, it is closed when the other side has said all.
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
  // A connection that breaks is told by the session.
  for (const event of ['end', 'error', 'close']) socket.on(event, () => stream.destroy());
  return stream;
}
