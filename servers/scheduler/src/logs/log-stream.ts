import { Readable } from 'node:stream';
import type { Clock } from '../clock.js';
import { formatJson, formatText, type LogFormat } from './log-format.js';
import type { LogHub } from './log-hub.js';
import type { StreamLevel } from './log-level.js';

/** What a client wants to hear of the log. */
export interface LogStreamOptions {
  readonly level: StreamLevel;
  /** Lines as JSON objects instead of text. */
  readonly json: boolean;
  /** File and line with every record. */
  readonly withLocation: boolean;
  /** The bytes of the log as they are, instead of frames. */
  readonly plain: boolean;
}

export interface LogStreamDependencies {
  readonly hub: LogHub;
  readonly clock: Clock;
  readonly limits?: LogStreamLimits;
}

/** How a stream paces itself. Times in milliseconds. */
export interface LogStreamLimits {
  /** Lines that wait for a slow client; further ones are dropped, so that nobody who stalls fills the memory. */
  readonly maxLines: number;
  /** Bytes of the log in one frame. */
  readonly frameLength: number;
  /** How long a frame waits for more. */
  readonly batchTime: number;
  /** Pause between signs of life. */
  readonly heartbeat: number;
  /** Pause between notices of what was dropped. */
  readonly dropNotice: number;
}

export const defaultLogStreamLimits: LogStreamLimits = Object.freeze({
  maxLines: 512,
  frameLength: 1_024,
  batchTime: 200,
  heartbeat: 1_000,
  dropNotice: 3_000,
});

/**
 * Streams the log from now on, until the stream is destroyed. Frames are JSON objects, back to back:
 * `{"Data":"<base64>","FileEvent":"log","Offset":n}`, the offset left out while it is zero, and `{}` as a sign of life.
 * A frame holds up to a kilobyte, so it may end within a line or hold several.
 */
export function openLogStream(
  options: LogStreamOptions,
  { hub, clock, limits = defaultLogStreamLimits }: LogStreamDependencies,
): Readable {
  const format = options.json ? formatJson : formatText;
  const lines: Buffer[] = [];
  let dropped = 0;
  let offset = 0;
  let isWanted = false;
  let stopBatch: (() => void) | null = null;

  const stopListening = hub.listen(options, (record) => {
    if (lines.length >= limits.maxLines) dropped += 1;
    else lines.push(Buffer.from(`${format(record)}\n`));
    stopBatch ??= clock.after(limits.batchTime, () => {
      stopBatch = null;
      flush();
    });
  });
  const stopHeartbeat = repeat(clock, limits.heartbeat, () => {
    if (isWanted && !options.plain) send('{}');
  });
  const stopNotices = repeat(clock, limits.dropNotice, () => {
    if (dropped === 0 || lines.length >= limits.maxLines) return;
    lines.push(Buffer.from(`${noticeOf(dropped, options.json ? formatJson : null, clock)}\n`));
    dropped = 0;
    flush();
  });

  function send(chunk: string | Buffer): void {
    isWanted = stream.push(chunk);
  }

  /** Sends what waits, as long as the client takes it. */
  function flush(): void {
    while (isWanted && lines.length > 0) {
      const bytes = takeBytes(lines, limits.frameLength);
      send(options.plain ? bytes : frameOf(bytes, offset));
      offset += bytes.length;
    }
  }

  const stream = new Readable({
    read() {
      isWanted = true;
      if (stopBatch === null) flush();
    },
    destroy(error, done) {
      stopListening();
      stopHeartbeat();
      stopNotices();
      stopBatch?.();
      done(error);
    },
  });
  return stream;
}

/** Takes up to `length` bytes from the front of the lines; what is left of a line stays. */
function takeBytes(lines: Buffer[], length: number): Buffer {
  const taken: Buffer[] = [];
  let room = length;
  while (room > 0) {
    const line = lines.shift();
    if (line === undefined) break;
    taken.push(line.subarray(0, room));
    if (line.length > room) lines.unshift(line.subarray(room));
    room -= line.length;
  }
  return Buffer.concat(taken);
}

function frameOf(bytes: Buffer, offset: number): string {
  const place = offset === 0 ? {} : { Offset: offset };
  return JSON.stringify({ Data: bytes.toString('base64'), FileEvent: 'log', ...place });
}

function noticeOf(count: number, format: LogFormat | null, clock: Clock): string {
  const message = `Monitor dropped ${count} logs during monitor request`;
  if (format === null) return `[WARN] ${message}`;
  const record = {
    level: 'warn',
    levelNumber: 40,
    time: clock.now(),
    module: '',
    caller: '',
    fields: [],
  } as const;
  return format({ ...record, message });
}

function repeat(clock: Clock, pause: number, action: () => void): () => void {
  let cancel = clock.after(pause, tick);
  function tick(): void {
    cancel = clock.after(pause, tick);
    action();
  }
  return () => cancel();
}
