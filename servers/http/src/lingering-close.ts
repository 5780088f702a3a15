import type { Duplex } from 'node:stream';
import type { After } from './backpressured-stream.js';

/** Time for the peer to read the response while it may still be sending, in ms. */
const lingerTime = 1_000;

/**
 * Sends `response`, then discards input until the peer closes too. Closing a connection with unread bytes resets it, which loses
 * the response.
 */
export function lingeringClose(socket: Duplex, response: string, clock: { readonly after: After }): void {
  const cancel = clock.after(lingerTime, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  socket.once('close', cancel);
  socket.end(response);
  socket.resume();
}
