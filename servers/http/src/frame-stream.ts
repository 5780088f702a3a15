import type { Readable } from 'node:stream';
import { openBackpressuredStream, repeat, type After, type Pacing } from './backpressured-stream.js';

/** How a stream of frames paces itself. Times in milliseconds. */
export interface FrameStreamLimits extends Pacing {
  /** Maximum items queued for a slow client. Further ones are dropped, so that stalled clients do not fill the memory. */
  readonly maxItems: number;
  /** Pause between notices of what was dropped. */
  readonly dropNotice: number;
}

/** Items as they come, and the frames that are made of them. */
export interface FrameSource<T> {
  /** Begins to hand over items, none of them before it has returned; the function returned ends that. */
  readonly subscribe: (push: (item: T) => void) => () => void;
  /** Makes a frame of items at the front and takes them away; what does not fit into it is put back. */
  readonly takeFrame: (items: T[]) => string | Buffer;
  /** Returns an item that reports how many have been dropped. */
  readonly notice: (dropped: number) => T;
  /** A frame that says nothing but that the stream is alive; null for none. */
  readonly heartbeatPiece: string | null;
}

/** A stream of things as they happen, from now on until it is destroyed, which drops what a slow client has no room for. */
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
