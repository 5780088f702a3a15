import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { timeoutCheck } from './limits.js';

/** An answer that is on its way. */
interface Sending {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** Bytes that have left this process, and when that was last seen to change. */
  left: number;
  since: number;
}

/** Milliseconds, and a call after some. */
export interface Watch {
  readonly now: () => number;
  readonly after: (milliseconds: number, action: () => void) => () => void;
}

/**
 * Hangs up on those who do not read what they have asked for: their answers would stay in the memory for as long as they
 * like. An answer may take any time as long as some of it is taken every `patience` milliseconds.
 *
 * @param cut told of each.
 * @returns ends the watch.
 */
export function cutSlowReaders(
  server: Server,
  patience: number,
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
      // Nothing waits to be read while an answer has nothing to say.
      if (left !== each.left || each.socket.writableLength === 0) {
        each.left = left;
        each.since = now();
      } else if (now() - each.since >= patience) {
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
    // One more than the runtime and the framework have of their own.
    response.setMaxListeners(response.getMaxListeners() + 1);
    response.once('close', () => sending.delete(each));
    watch();
  });
  return () => cancel();
}

function leftOf({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
