import type { Readable } from 'node:stream';
import { openBackpressuredStream, type Chunk, type BackpressuredStream } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import {
  badFrame,
  printFrame,
  heartbeat,
  type ReceivedFrame,
} from '@tamis/scheduler-model/host/file-frame.js';
import { asError, endOf, numberOf, type LogPiece, type LogPlace, type LogSource } from './log-source.js';
import { isBefore, type LogFollower, type SharedLog } from './shared-log.js';

export interface FollowOptions {
  /** Whether to send raw bytes instead of frames. */
  readonly plain: boolean;
  readonly clock: Pick<Clock, 'after'>;
}

/** In ms. The node has already batched its output. */
const pacing = { batchTime: 0, heartbeat: 1_000 } as const;

/** Opens a stream of a log from the start of a chunk. Destroying it releases the log. */
export function openLogFollower(
  log: SharedLog,
  source: LogSource,
  started: LogPiece,
  options: FollowOptions,
): { readonly stream: Readable; readonly end: () => void } {
  const follower = new Follower(log, source, started, options);
  return { stream: follower.stream, end: () => follower.end() };
}

class Follower implements LogFollower {
  next: number | null = null;
  readonly #log: SharedLog;
  readonly #source: LogSource;
  readonly #plain: boolean;
  readonly #paced: BackpressuredStream;
  /** The position read so far. */
  #place: LogPlace;
  /** Frames read from the files, sent before live frames. */
  #queue: ReceivedFrame[];
  #isCatchingUp = false;
  #isEnding = false;

  constructor(log: SharedLog, source: LogSource, started: LogPiece, { clock, plain }: FollowOptions) {
    this.#log = log;
    this.#source = source;
    this.#plain = plain;
    this.#place = started.place;
    this.#queue = [...started.frames];
    this.#paced = openBackpressuredStream(
      {
        take: () => this.#take(),
        heartbeatPiece: () => (plain ? null : heartbeat),
        close: () => log.leave(this),
      },
      pacing,
      (milliseconds, action) => clock.after(milliseconds, action),
    );
    log.join(this);
  }

  get stream(): Readable {
    return this.#paced.stream;
  }

  wake(): void {
    this.#paced.flush();
  }

  end(): void {
    this.#isEnding = true;
    this.#paced.end();
  }

  fail(error: unknown): void {
    this.stream.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  #take(): Chunk | null {
    for (;;) {
      const frame = this.#nextFrame();
      if (frame === null) return null;
      const chunk = this.#chunkOf(frame);
      if (chunk !== null) return chunk;
    }
  }

  /** Returns the next frame; null if none exists yet, after requesting it. */
  #nextFrame(): ReceivedFrame | null {
    const queued = this.#queue.shift();
    if (queued !== undefined) return queued;
    if (this.next !== null && this.next < this.#log.first) this.next = null;
    // Skips buffered data that it has already read.
    if (this.next === null && this.#log.contains(this.#place)) this.next = this.#log.first;
    const frame = this.next === null ? null : this.#log.frameAt(this.next);
    if (this.next !== null && frame !== null) {
      this.next += 1;
      return frame;
    }
    if (this.#isEnding) return null;
    if (this.next === null) this.#catchUp().catch((error: unknown) => this.fail(error));
    else this.#log.pull(this.#source, this.#place);
    return null;
  }

  /** Reads a chunk from the files, if the following data is no longer buffered. */
  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    const piece = await this.#log.piece(this.#source, { origin: 'file', ...this.#place });
    if (piece.kind === 'refused') throw asError(piece);
    const last = piece.frames.at(-1);
    // Prevents an endless loop with a node that always sends the same data.
    if (last !== undefined && !this.#isNew(last)) throw badFrame('it was read before');
    this.#queue = [...piece.frames];
    if (this.#queue.length === 0) this.next = this.#log.first;
    this.#isCatchingUp = false;
    this.#paced.flush();
  }

  /** Whether a frame contains unread data. */
  #isNew(frame: ReceivedFrame): boolean {
    const { data, event } = frame;
    if (event === 'file truncated') return true;
    const end = endOf(frame);
    return data.length > 0 ? isBefore(this.#place, end) : !isBefore(end, this.#place);
  }

  /** Returns the part of a frame to send; null if all of it has already been sent. */
  #chunkOf(frame: ReceivedFrame): Chunk | null {
    const { data, event, offset } = frame;
    if (!this.#isNew(frame)) return null;
    const start = { file: numberOf(frame), offset };
    const isAnew = event === 'file truncated';
    const known = !isAnew && isBefore(start, this.#place) ? this.#place.offset - offset : 0;
    this.#place = endOf(frame);
    const rest = data.subarray(known);
    if (this.#plain) return rest.length === 0 ? null : rest;
    return known === 0 ? frame.bytes : printFrame({ ...frame, offset: offset + known, data: rest });
  }
}
