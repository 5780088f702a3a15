import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { timeoutCheck } from './limits.js';

/** A response in transit. */
interface Sending {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** Bytes that have left this process, and the time of their last observed change. */
  left: number;
  since: number;
}

/** A clock in ms with timers. */
export interface Watch {
  readonly now: () => number;
  readonly after: (milliseconds: number, action: () => void) => () => void;
}

/**
 * Closes connections of clients that do not read their responses, which would otherwise stay in memory. A response may take any
 * time as long as some of it is read within each timeout.
 *
 * @param cut called for each closed connection.
 * @returns a function that ends the watch.
 */
export function disconnectSlowClients(
  server: Server,
  timeoutMs: number,
  { now, after }: Watch,
  cut: (request: IncomingMessage) => void,
): () => void {
  const sending = new Set<Sending>();
  let cancel = (): void => undefined;
  let isWatching = false;

  function look(): void {
    isWatching = false;
    for (const each of sending) {
      const left = leftOf(each.socket);
      // A response without pending bytes is not stalled.
      if (left !== each.left || each.socket.writableLength === 0) {
        each.left = left;
        each.since = now();
      } else if (now() - each.since >= timeoutMs) {
        sending.delete(each);
        cut(each.request);
        each.socket.destroy();
      }
    }
    watch();
  }

  function watch(): void {
    if (isWatching || sending.size === 0) return;
    isWatching = true;
    cancel = after(timeoutCheck, look);
  }

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const each: Sending = { request, socket, left: leftOf(socket), since: now() };
    sending.add(each);
    // One listener more than those of the runtime and the framework.
    response.setMaxListeners(response.getMaxListeners() + 1);
    response.once('close', () => sending.delete(each));
    watch();
  });
  return () => cancel();
}

function leftOf({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
