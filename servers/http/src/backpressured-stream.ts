import { Readable } from 'node:stream';
import type { Chunk } from './text-stream.js';

/** Calls `action` once after `milliseconds`; the function returned cancels it. */
export type After = (milliseconds: number, action: () => void) => () => void;

/** The pacing of a stream. Times in ms. */
export interface Pacing {
  /** How long new items wait to be sent together with later ones. */
  readonly batchTime: number;
  /** Interval between heartbeats. */
  readonly heartbeat: number;
}

/** The chunks of a stream, produced only as fast as they are read. */
export interface PieceSource {
  /** Removes and returns the next chunk; null if none exists yet. */
  readonly take: () => Chunk | null;
  /** Returns a chunk without data that shows that the stream is alive; null for none. */
  readonly heartbeatPiece: () => Chunk | null;
  /** Called once, when the reader has stopped. */
  readonly close: () => void;
}

/** A stream of events as they happen, until it is destroyed. */
export type BackpressuredStream = ReturnType<typeof openBackpressuredStream>;

/**
 * Opens a stream of events. It sends heartbeats in between, so that clients can distinguish silence from a lost connection.
 */
export function openBackpressuredStream(
  { take, heartbeatPiece, close }: PieceSource,
  { batchTime, heartbeat }: Pacing,
  after: After,
) {
  let hasDemand = false;
  let isFlushing = false;
  let isEnding = false;
  let stopBatch: (() => void) | null = null;
  const stopHeartbeat = repeat(after, heartbeat, () => {
    const sign = hasDemand && !isEnding ? heartbeatPiece() : null;
    if (sign !== null) send(sign);
  });

  function send(piece: Chunk): void {
    hasDemand = stream.push(piece);
  }

  /** Sends available chunks as long as the client reads them. */
  function flush(): void {
    stopBatch?.();
    stopBatch = null;
    // `take` may end the stream.
    if (isFlushing || stream.destroyed) return;
    isFlushing = true;
    let piece: Chunk | null = '';
    while (hasDemand && (piece = take()) !== null) send(piece);
    isFlushing = false;
    if (piece === null && isEnding) stream.push(null);
  }

  const stream = new Readable({
    read() {
      hasDemand = true;
      if (stopBatch === null) flush();
    },
    destroy(error, done) {
      stopHeartbeat();
      stopBatch?.();
      close();
      done(error);
    },
  });
  return {
    stream,
    /** Announces a chunk to be sent at once. */
    flush,
    /** Announces a chunk that may wait for later ones. */
    wake: (): void => {
      if (!stream.destroyed) stopBatch ??= after(batchTime, flush);
    },
    /** Ends the stream normally once all chunks have been taken. */
    end: (): void => {
      isEnding = true;
      flush();
    },
  };
}

/** Calls `action` repeatedly, `pause` ms apart. The function returned stops it. */
export function repeat(after: After, pause: number, action: () => void): () => void {
  let cancel = after(pause, tick);
  function tick(): void {
    cancel = after(pause, tick);
    action();
  }
  return () => cancel();
}
