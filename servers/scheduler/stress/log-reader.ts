import { get, type IncomingMessage } from 'node:http';

/** A client that follows a log of numbered lines, each with the time at which it was written. */
export interface LogReader {
  /** Lines that have come. */
  readonly lines: () => number;
  readonly bytes: () => number;
  /** Milliseconds that each took from its task. */
  readonly lags: readonly number[];
  /** Whether a line was missing or came twice. */
  readonly isBroken: () => boolean;
  /** Whether the response has ended. */
  readonly isDone: () => boolean;
  pause(): void;
  resume(): void;
  close(): void;
}

/** A line of the log: its number, and milliseconds since 1970. */
const line = /^line (\d+) (\d+)$/;

/** Opens it; resolves when the response begins. @throws Error if the status is not 200 */
export async function openLogReader(url: string): Promise<LogReader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) {
    const text = (await response.setEncoding('utf8').toArray()).join('');
    throw new Error(`${url}: ${response.statusCode ?? 0} ${text}`);
  }
  const lags: number[] = [];
  let bytes = 0;
  let last: number | null = null;
  let isBroken = false;
  let shouldYield = false;
  let rest = '';
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    const parts = (rest + chunk.toString('latin1')).split('\n');
    rest = parts.pop()?.slice(-100) ?? '';
    for (const part of parts) {
      const [, number, time] = line.exec(part) ?? [];
      if (number === undefined) continue;
      if (last !== null && Number(number) !== last + 1) isBroken = true;
      last = Number(number);
      lags.push(Date.now() - Number(time));
    }
  });
  response.on('error', () => undefined);
  response.on('close', () => (shouldYield = true));
  return {
    lines: () => lags.length,
    bytes: () => bytes,
    lags,
    isBroken: () => isBroken,
    isDone: () => shouldYield,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
}
