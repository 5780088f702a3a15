import type { Duplex } from 'node:stream';
import type { After } from './paced-stream.js';

/** Milliseconds that the other side gets to read an answer to what it may still be sending. */
const lingerTime = 1_000;

/**
 * Says `answer`, then reads and forgets what comes until the other side hangs up too: a connection that is closed with
 * bytes unread is reset, and the answer is lost on the way.
 */
export function hangUp(socket: Duplex, answer: string, clock: { readonly after: After }): void {
  const cancel = clock.after(lingerTime, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  socket.once('close', cancel);
  socket.end(answer);
  socket.resume();
}
