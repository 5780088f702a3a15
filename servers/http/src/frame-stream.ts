import type { Readable } from 'node:stream';
import { openBackpressuredStream, repeat, type After, type Pacing } from './backpressured-stream.js';

/** Pacing and queue limits of a stream of frames. Times in ms. */
export interface FrameStreamLimits extends Pacing {
  /** Maximum items queued for a slow client. Further ones are dropped, so that stalled clients do not fill the memory. */
  readonly maxItems: number;
  /** Interval between notices of dropped items. */
  readonly dropNotice: number;
}

/** A source of items, and their encoding as frames. */
export interface FrameSource<T> {
  /** Subscribes to items and returns a function that unsubscribes. Must not call `push` before it has returned. */
  readonly subscribe: (push: (item: T) => void) => () => void;
  /** Encodes the first items as a frame and removes them from the array. Items that do not fit remain in it. */
  readonly takeFrame: (items: T[]) => string | Buffer;
  /** Returns an item that reports how many have been dropped. */
  readonly notice: (dropped: number) => T;
  /** A frame without data that shows that the stream is alive; null for none. */
  readonly heartbeatPiece: string | null;
}

/** Opens a stream of items from now on, until it is destroyed. Drops items if a slow client has `maxItems` queued. */
export function openFrameStream<T>(
  { subscribe, takeFrame, notice, heartbeatPiece }: FrameSource<T>,
  limits: FrameStreamLimits,
  after: After,
): Readable {
  const items: T[] = [];
  let dropped = 0;
  const { stream, wake, flush } = openBackpressuredStream(
    {
      take: () => (items.length === 0 ? null : takeFrame(items)),
      heartbeatPiece: () => heartbeatPiece,
      close() {
        unsubscribe();
        stopNotices();
      },
    },
    limits,
    after,
  );
  const unsubscribe = subscribe((item) => {
    if (items.length >= limits.maxItems) dropped += 1;
    else items.push(item);
    wake();
  });
  const stopNotices = repeat(after, limits.dropNotice, () => {
    if (dropped === 0 || items.length >= limits.maxItems) return;
    items.push(notice(dropped));
    dropped = 0;
    flush();
  });
  return stream;
}
