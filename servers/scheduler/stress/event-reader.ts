import { connect, type Socket } from 'node:net';

/** A client that reads a stream of events, with no more than a socket. */
export interface EventReader {
  /** How many events have come. */
  readonly events: () => number;
  /** Milliseconds that each took from its write. */
  readonly lags: readonly number[];
  /** Whether it was notified of missing events. */
  readonly hasGap: () => boolean;
  pause(): void;
  resume(): void;
  close(): void;
}

/** The prefix and suffix of the time of a write in its row, in ms since 1970. */
export const stampOf = (time: number): string => `written ${time.toFixed(3)} `;
const stamp = /"StatusDescription":"written ([\d.]+) "/g;

export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** Opens a stream; resolves when its first frame has come. */
export async function openEventReader(origin: string, path: string): Promise<EventReader> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setEncoding('utf8');
  const lags: number[] = [];
  let events = 0;
  let hasGap = false;
  let rest = '';
  const opened = firstFrame(socket);
  socket.on('data', (data: string) => {
    const now = preciseNow();
    const text = rest + data;
    let end = 0;
    for (const match of text.matchAll(stamp)) {
      lags.push(now - Number(match[1]));
      events += 1;
      end = match.index + match[0].length;
    }
    hasGap ||= text.includes('"Gap":');
    // A stamp may be cut in two.
    rest = text.slice(Math.max(end, text.length - 100));
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await opened;
  return {
    events: () => events,
    lags,
    hasGap: () => hasGap,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  };
}

function firstFrame(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    socket.on('data', function read(data: string) {
      head += data;
      if (!head.includes('"Index":')) return;
      socket.off('data', read);
      if (head.startsWith('HTTP/1.1 200 ')) resolve();
      else reject(new Error(head.slice(0, 300)));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The connection was closed')));
  });
}
