import { connect, type Socket } from 'node:net';

/** A client that waits for a response with only a socket. */
export interface WaitingClient {
  /** Resolves with the `performance.now()` time, in ms, at which the response was complete. */
  readonly responded: Promise<number>;
  readonly hasResponse: () => boolean;
  close(): void;
}

/** Maximum connections opened at a time: a server accepts a few hundred before it handles them. */
const openedAtOnce = 200;

/** Lets a client for each path wait. */
export async function startWaiting(origin: string, paths: readonly string[]): Promise<WaitingClient[]> {
  const clients: WaitingClient[] = [];
  for (let at = 0; at < paths.length; at += openedAtOnce) {
    const opening = paths.slice(at, at + openedAtOnce).map((path) => open(new URL(path, origin)));
    clients.push(...(await Promise.all(opening)));
  }
  return clients;
}

async function open(url: URL): Promise<WaitingClient> {
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let isDone = false;
  const served = readResponse(socket).then((time) => {
    isDone = true;
    return time;
  });
  // A rejection that is no longer awaited must not end the process.
  served.catch(() => undefined);
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  return { responded: served, hasResponse: () => isDone, close: () => socket.destroy() };
}

/** Reads one response with a content length. */
function readResponse(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    let left = Infinity;
    socket.on('data', (data: Buffer) => {
      let length = data.length;
      if (left === Infinity) {
        head += data.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const announced = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200 ') || announced === undefined) {
          reject(new Error(head.slice(0, 200)));
          return;
        }
        left = Number(announced);
        length = head.length - end - 4;
      }
      left -= length;
      if (left <= 0) resolve(performance.now());
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection was closed')));
  });
}
