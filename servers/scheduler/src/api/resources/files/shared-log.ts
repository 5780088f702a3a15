import { sleep } from '@tamis/http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { SchedulerError, unreachable } from '@tamis/scheduler-model/base/errors.js';
import type { ReceivedFrame } from '@tamis/scheduler-model/host/file-frame.js';
import type { LogParams } from '@tamis/scheduler-node/file-params.js';
import { endOf, numberOf, type LogPiece, type LogPlace, type LogSource, type Refusal } from './log-source.js';

/** A follower of a log, as the log sees it. */
export interface LogFollower {
  /** Number of the next frame to read; null for a follower that reads data no longer buffered. */
  readonly next: number | null;
  /** Called when new data is available. */
  wake(): void;
  /** Called when there will be no more data. */
  end(): void;
  fail(error: unknown): void;
}

/** Limits of the logs followed through one server. */
export type SharedLogLimits = Readonly<Record<keyof typeof defaultSharedLogLimits, number>>;

export const defaultSharedLogLimits = Object.freeze({
  /** Maximum number of bytes buffered per log for slightly slower followers. */
  maxBufferedBytes: 262_144,
  /** Maximum number of buffered frames. */
  maxBufferedFrames: 512,
  /** Time without data after which a node counts as gone, in ms. */
  silence: 15_000,
});

/** Followers notified of new data per turn. */
const wokenAtOnce = 64;
/** Delay before retrying a busy node, in ms, and the number of retries. */
const busyPause = 250;
const busyTries = 40;

/**
 * A log with any number of followers, which share one stream from its node. The stream is read at the pace of the fastest
 * follower, so that followers do not delay each other. Data that the others have not read yet is buffered up to a limit.
 * Followers that fall further back read the files themselves, chunk by chunk, until they have caught up.
 */
export class SharedLog {
  readonly #followers = new Set<LogFollower>();
  readonly #pieces = new Map<string, Promise<LogPiece | Refusal>>();
  readonly #stopping = new AbortController();
  readonly #clock: Pick<Clock, 'after'>;
  readonly #limits: SharedLogLimits;
  /** Called once, when it has or can have no more followers. */
  readonly #over: () => void;
  #lastPiece: Promise<unknown> = Promise.resolve();
  #stream: AsyncGenerator<ReceivedFrame, void, undefined> | null = null;
  /** Aborted when the stream is released. */
  #leaving = new AbortController();
  #frames: ReceivedFrame[] = [];
  #bufferedBytes = 0;
  /** Number of the first buffered frame. */
  #first = 0;
  /** The position after the last received frame; null before there is a stream. */
  #end: LogPlace | null = null;
  /** Whether a frame is being received, or followers are being notified of it. */
  #isPulling = false;
  /** Position of the next read; null unless a follower requested more while a frame is being received. */
  #nextSource: { readonly source: LogSource; readonly place: LogPlace } | null = null;
  #newcomers = 0;
  #isOver = false;

  constructor(
    clock: Pick<Clock, 'after'>,
    over: () => void,
    limits: SharedLogLimits = defaultSharedLogLimits,
  ) {
    this.#clock = clock;
    this.#over = over;
    this.#limits = limits;
  }

  get first(): number {
    return this.#first;
  }

  get followers(): number {
    return this.#followers.size;
  }

  join(follower: LogFollower): void {
    this.#followers.add(follower);
  }

  leave(follower: LogFollower): void {
    this.#followers.delete(follower);
    this.#finishIfAlone();
  }

  /** Keeps the log open for a joining follower until that is settled. */
  async stayFor<T>(settling: () => Promise<T>): Promise<T> {
    this.#newcomers += 1;
    try {
      return await settling();
    } finally {
      this.#newcomers -= 1;
      this.#finishIfAlone();
    }
  }

  #finishIfAlone(): void {
    if (this.#followers.size + this.#newcomers === 0) this.#finish();
  }

  /** Returns the frame with a number; null if not received yet. Frames before the first are no longer buffered. */
  frameAt(number: number): ReceivedFrame | null {
    return this.#frames[number - this.#first] ?? null;
  }

  /** Whether the data after a position is buffered or comes with the stream. Before there is a stream, it can begin anywhere. */
  contains(place: LogPlace): boolean {
    const [first] = this.#frames;
    const start = first === undefined ? this.#end : { file: numberOf(first), offset: first.offset };
    return start === null || !isBefore(place, start);
  }

  /** Requests a chunk from the node, one at a time; followers that need the same one share it. @throws SchedulerError */
  piece(source: LogSource, start: LogParams['start']): Promise<LogPiece | Refusal> {
    const key = JSON.stringify(start);
    const pending = this.#pieces.get(key);
    if (pending !== undefined) return pending;
    const fetching = this.#lastPiece
      .then(() => this.#fetchPiece(source, start))
      .finally(() => this.#pieces.delete(key));
    this.#pieces.set(key, fetching);
    this.#lastPiece = fetching.catch(() => undefined);
    return fetching;
  }

  /** Continues reading for a follower that has read everything received, up to this position. */
  pull(source: LogSource, place: LogPlace): void {
    if (this.#isOver) return;
    if (this.#isPulling) {
      this.#nextSource = { source, place };
      return;
    }
    this.#isPulling = true;
    this.#nextSource = null;
    this.#step(source, place).then(
      (isEnded) => {
        if (isEnded) this.#endAll();
        else void this.#wakeAll();
      },
      (error: unknown) => this.#failAll(error),
    );
  }

  async #fetchPiece(source: LogSource, start: LogParams['start']): Promise<LogPiece | Refusal> {
    const { signal } = this.#stopping;
    for (let tries = 1; ; tries += 1) {
      try {
        return await source.piece(start, signal);
      } catch (error) {
        const isBusy = error instanceof SchedulerError && error.code === 'node-busy';
        if (!isBusy || tries >= busyTries || signal.aborted) throw error;
      }
      await sleep(this.#clock, busyPause, signal);
    }
  }

  /** Receives one frame with data; returns true at the end. */
  async #step(source: LogSource, place: LogPlace): Promise<boolean> {
    if (this.#isLagging(place)) this.#endStream();
    this.#end ??= place;
    this.#stream ??= await source.follow(
      this.#end,
      AbortSignal.any([this.#stopping.signal, this.#leaving.signal]),
    );
    for (;;) {
      const { done, value } = await this.#nextFrame(this.#stream);
      if (done === true) return true;
      if (value.file === '') continue;
      this.#buffer(value);
      return false;
    }
  }

  /** Whether a follower is so far ahead of the stream that the stream should restart at its position. */
  #isLagging({ file, offset }: LogPlace): boolean {
    const end = this.#end;
    if (end === null) return false;
    return file > end.file || (file === end.file && offset - end.offset > this.#limits.maxBufferedBytes);
  }

  /** Releases the stream and its buffer: remaining followers read the files. */
  #endStream(): void {
    this.#leaving.abort();
    this.#leaving = new AbortController();
    // It ends with its signal; the end is not awaited.
    this.#stream?.return().catch(() => undefined);
    this.#stream = null;
    this.#first += this.#frames.length;
    this.#frames = [];
    this.#bufferedBytes = 0;
    this.#end = null;
  }

  async #nextFrame(
    stream: AsyncGenerator<ReceivedFrame, void, undefined>,
  ): Promise<IteratorResult<ReceivedFrame, void>> {
    const cancel = this.#clock.after(this.#limits.silence, () =>
      this.#failAll(unreachable('rpc error: the node has gone silent')),
    );
    try {
      return await stream.next();
    } finally {
      cancel();
    }
  }

  #buffer(frame: ReceivedFrame): void {
    this.#end = endOf(frame);
    this.#frames.push(frame);
    this.#bufferedBytes += frame.bytes.length;
    const last = this.#first + this.#frames.length - 1;
    let needed = last;
    for (const { next } of this.#followers) needed = Math.min(needed, next ?? last);
    const { maxBufferedBytes, maxBufferedFrames } = this.#limits;
    while (
      this.#frames.length > 1 &&
      (this.#first < needed ||
        this.#bufferedBytes > maxBufferedBytes ||
        this.#frames.length > maxBufferedFrames)
    ) {
      this.#bufferedBytes -= this.#frames.shift()?.bytes.length ?? 0;
      this.#first += 1;
    }
  }

  /** Thousands of followers are notified in several turns, so that other work runs in between. */
  async #wakeAll(): Promise<void> {
    let count = 0;
    for (const follower of [...this.#followers]) {
      if (this.#followers.has(follower)) follower.wake();
      count += 1;
      if (count % wokenAtOnce === 0) await nextTurn();
    }
    this.#isPulling = false;
    if (this.#nextSource !== null) this.pull(this.#nextSource.source, this.#nextSource.place);
  }

  #endAll(): void {
    for (const follower of [...this.#followers]) follower.end();
    this.#finish();
  }

  #failAll(error: unknown): void {
    if (this.#isOver) return;
    const followers = [...this.#followers];
    this.#finish();
    for (const follower of followers) follower.fail(error);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#over();
    this.#stopping.abort();
    this.#endStream();
  }
}

/** Whether one position precedes another. */
export function isBefore(a: LogPlace, b: LogPlace): boolean {
  return a.file === b.file ? a.offset < b.offset : a.file < b.file;
}
