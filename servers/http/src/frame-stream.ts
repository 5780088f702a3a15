import { Readable } from 'node:stream';

/** How a stream of frames paces itself. Times in milliseconds. */
export interface FrameStreamLimits {
  /** Items that wait for a slow client; further ones are dropped, so that nobody who stalls fills the memory. */
  readonly maxItems: number;
  /** How long a frame waits for more. */
  readonly batchTime: number;
  /** Pause between signs of life. */
  readonly heartbeat: number;
  /** Pause between notices of what was dropped. */
  readonly dropNotice: number;
}

/** Items as they come, and the frames that are made of them. */
export interface FrameSource<T> {
  /** Begins to hand over items, none of them before it has returned; the function returned ends that. */
  readonly subscribe: (push: (item: T) => void) => () => void;
  /** Makes a frame of items at the front and takes them away; what does not fit into it is put back. */
  readonly takeFrame: (items: T[]) => string | Buffer;
  /** An item that tells how many have been dropped. */
  readonly notice: (dropped: number) => T;
  /** A frame that says nothing but that the stream is alive; null for none. */
  readonly signOfLife: string | null;
}

/** Calls `action` once after `milliseconds`; the function returned cancels it. */
export type After = (milliseconds: number, action: () => void) => () => void;

/**
 * A stream of things as they happen, from now on until it is destroyed. It makes frames only as fast as they are read, and
 * between them it gives signs of life, so that whoever listens can tell silence from a lost connection.
 */
export function openFrameStream<T>(
  { subscribe, takeFrame, notice, signOfLife }: FrameSource<T>,
  limits: FrameStreamLimits,
  after: After,
): Readable {
  const items: T[] = [];
  let dropped = 0;
  let isWanted = false;
  let stopBatch: (() => void) | null = null;

  const unsubscribe = subscribe((item) => {
    if (items.length >= limits.maxItems) dropped += 1;
    else items.push(item);
    stopBatch ??= after(limits.batchTime, () => {
      stopBatch = null;
      flush();
    });
  });
  const stopHeartbeat = repeat(after, limits.heartbeat, () => {
    if (isWanted && signOfLife !== null) send(signOfLife);
  });
  const stopNotices = repeat(after, limits.dropNotice, () => {
    if (dropped === 0 || items.length >= limits.maxItems) return;
    items.push(notice(dropped));
    dropped = 0;
    flush();
  });

  function send(frame: string | Buffer): void {
    isWanted = stream.push(frame);
  }

  /** Sends what waits, as long as the client takes it. */
  function flush(): void {
    while (isWanted && items.length > 0) send(takeFrame(items));
  }

  const stream = new Readable({
    read() {
      isWanted = true;
      if (stopBatch === null) flush();
    },
    destroy(error, done) {
      unsubscribe();
      stopHeartbeat();
      stopNotices();
      stopBatch?.();
      done(error);
    },
  });
  return stream;
}

function repeat(after: After, pause: number, action: () => void): () => void {
  let cancel = after(pause, tick);
  function tick(): void {
    cancel = after(pause, tick);
    action();
  }
  return () => cancel();
}
