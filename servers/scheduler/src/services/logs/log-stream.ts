import type { Readable } from 'node:stream';
import { openFrameStream, type FrameStreamLimits } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { formatJson, formatText, type LogFormat } from './log-format.js';
import type { LogHub } from './log-hub.js';
import type { StreamLevel } from './log-level.js';

/** Options of a stream of the log. */
export interface LogStreamOptions {
  readonly level: StreamLevel;
  /** Whether lines are JSON objects instead of text. */
  readonly json: boolean;
  /** Whether each record has file and line. */
  readonly withLocation: boolean;
  /** Whether to send the raw bytes instead of frames. */
  readonly plain: boolean;
}

export interface LogStreamDependencies {
  readonly hub: LogHub;
  readonly clock: Clock;
  readonly limits?: LogStreamLimits;
}

/** Limits of a stream of the log. */
export interface LogStreamLimits extends FrameStreamLimits {
  /** Maximum bytes of the log per frame. */
  readonly frameLength: number;
}

const defaultLogStreamLimits: LogStreamLimits = Object.freeze({
  maxItems: 512,
  frameLength: 1_024,
  batchTime: 200,
  heartbeat: 1_000,
  dropNotice: 3_000,
});

/**
 * Streams the log from now on, until the stream is destroyed. Frames are JSON objects without separators:
 * `{"Data":"<base64>","FileEvent":"log","Offset":n}`, the offset omitted while zero, and `{}` as a heartbeat. A frame contains up
 * to a kilobyte, so it may end within a line or contain several.
 */
export function openLogStream(
  options: LogStreamOptions,
  { hub, clock, limits = defaultLogStreamLimits }: LogStreamDependencies,
): Readable {
  const format = options.json ? formatJson : formatText;
  let offset = 0;
  return openFrameStream<Buffer>(
    {
      subscribe: (push) => hub.listen(options, (record) => push(Buffer.from(`${format(record)}\n`))),
      takeFrame(lines) {
        const bytes = takeBytes(lines, limits.frameLength);
        const frame = options.plain ? bytes : frameOf(bytes, offset);
        offset += bytes.length;
        return frame;
      },
      notice: (dropped) => Buffer.from(`${noticeOf(dropped, options.json ? formatJson : null, clock)}\n`),
      heartbeatPiece: options.plain ? null : '{}',
    },
    limits,
    (milliseconds, action) => clock.after(milliseconds, action),
  );
}

/** Removes up to `length` bytes from the front of the lines. The rest of a cut line stays. */
function takeBytes(lines: Buffer[], length: number): Buffer {
  const taken: Buffer[] = [];
  let freeBytes = length;
  while (freeBytes > 0) {
    const line = lines.shift();
    if (line === undefined) break;
    taken.push(line.subarray(0, freeBytes));
    if (line.length > freeBytes) lines.unshift(line.subarray(freeBytes));
    freeBytes -= line.length;
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
