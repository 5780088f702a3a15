import { Readable } from 'node:stream';
import type { Chunk } from './text-stream.js';

/** Calls `action` once after `milliseconds`; the function returned cancels it. */
export type After = (milliseconds: number, action: () => void) => () => void;

/** How a stream paces itself. Times in milliseconds. */
export interface Pacing {
  /** How long what has come waits for more. */
  readonly batchTime: number;
  /** Pause between signs of life. */
  readonly heartbeat: number;
}

/** The chunks of a stream, produced only as fast as they are read. */
export interface PieceSource {
  /** Removes and returns the next chunk; null if there is none yet. */
  readonly take: () => Chunk | null;
  /** A piece that says nothing but that the stream is alive; null for none. */
  readonly heartbeatPiece: () => Chunk | null;
  /** Called once, when the reader has stopped. */
  readonly close: () => void;
}

/** A stream of things as they happen, until it is destroyed. */
export interface BackpressuredStream {
  readonly stream: Readable;
  /** There is something to take, which may wait for more. */
  readonly wake: () => void;
  /** There is something to take that is not to wait. */
  readonly flush: () => void;
  /** Ends the stream in order, when there is nothing more to take. */
  readonly end: () => void;
}

/**
 * Opens a stream of events. It sends heartbeats in between, so that clients can distinguish silence from a lost connection.
 */
export function openBackpressuredStream(
  { take, heartbeatPiece, close }: PieceSource,
  { batchTime, heartbeat }: Pacing,
  after: After,
): BackpressuredStream {
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

  /** Sends what there is, as long as the client takes it. */
  function flush(): void {
    stopBatch?.();
    stopBatch = null;
    // What is taken may say that the stream is to end.
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
    flush,
    wake() {
      if (!stream.destroyed) stopBatch ??= after(batchTime, flush);
    },
    end() {
      isEnding = true;
      flush();
    },
  };
}

/** Calls `action` again and again; the function returned ends it. */
export function repeat(after: After, pause: number, action: () => void): () => void {
  let cancel = after(pause, tick);
  function tick(): void {
    cancel = after(pause, tick);
    action();
  }
  return () => cancel();
}
