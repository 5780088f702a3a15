import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import {
  createTurnLimiter,
  type ScheduleTask,
  createPrinter,
  type ListForm,
  eventLoop,
  RecentMap,
  type TimeSlicer,
} from 'tamis/internal';
import { sliceLength } from './text-stream.js';

/** A long list that many clients can read at once. */
export interface SharedList {
  /** Returns a stream of the list. It fails with the error that stops the time slices. */
  read(): Readable;
}

/**
 * Encodes long lists in chunks that all readers share and that are cached up to a limit. A slow reader keeps only its current
 * chunk in memory; evicted chunks are encoded again.
 */
export interface SharedLists {
  share<T>(items: readonly T[], form: ListForm<T>): SharedList;
  /** Size of the cached chunks, in bytes. */
  readonly cached: number;
  /** Number of chunks encoded, including repeated ones. */
  readonly made: number;
}

/** Maximum size of all cached chunks, in bytes. Prevents long lists from filling the memory. */
const maxCachedLength = 33_554_432;

/**
 * Maximum time per event loop turn for delivering chunks, in ms. The runtime accepts one connection per turn, so long turns would
 * delay new clients.
 */
const handOutBudget = 2;

/** An encoded chunk of a list. */
interface Piece {
  readonly bytes: Buffer;
  /** Index of the first item of the next chunk; null after the last chunk. */
  readonly next: number | null;
}

type PieceMap = Map<number, Piece>;

export function createSharedLists(slices: TimeSlicer, max = maxCachedLength): SharedLists {
  const store = createStore(max);
  // Each reader listens for the end.
  setMaxListeners(0, slices.stopped);
  // Delivering a cached chunk costs as much per reader as encoding it, and hundreds may wait for the same one.
  const admit = createTurnLimiter(eventLoop, handOutBudget);
  let made = 0;

  function share<T>(items: readonly T[], form: ListForm<T>): SharedList {
    const pieces: PieceMap = new Map();
    const making = new Map<number, Promise<Piece>>();

    function pieceAt(start: number): Piece | Promise<Piece> {
      const known = store.get(pieces, start) ?? making.get(start);
      if (known !== undefined) return known;
      const printer = createPrinter(items, form, start);
      const finish = (): Piece => {
        made += 1;
        const piece = { bytes: Buffer.from(printer.take()), next: printer.isDone ? null : printer.at };
        store.put(pieces, start, piece);
        return piece;
      };
      const work = slices.run(
        (shouldYield) => printer.print(sliceLength, shouldYield) || printer.length >= sliceLength,
        // Chunks are short, so they are encoded even if no reader is waiting any more.
        null,
        'further',
      );
      if (work === null) return finish();
      const promise = work.then(finish).finally(() => void making.delete(start));
      making.set(start, promise);
      return promise;
    }

    return { read: () => readPieces(pieceAt, admit, slices.stopped) };
  }

  return {
    share,
    get cached() {
      return store.bytes;
    },
    get made() {
      return made;
    },
  };
}

function readPieces(
  pieceAt: (start: number) => Piece | Promise<Piece>,
  admit: ScheduleTask,
  stopped: AbortSignal,
): Readable {
  let at: number | null = 0;
  // A stream that waits for its reader has no work in progress to cancel.
  const end = (): void => void stream.destroy(stopped.reason as Error);
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      const give = ({ bytes, next }: Piece): void =>
        admit(() => {
          if (this.destroyed) return;
          at = next;
          this.push(bytes);
          if (next === null) this.push(null);
        });
      const piece = pieceAt(at ?? 0);
      if (piece instanceof Promise) piece.then(give, (error: Error) => this.destroy(error));
      else give(piece);
    },
    destroy(error, done) {
      stopped.removeEventListener('abort', end);
      done(error);
    },
  });
  stopped.addEventListener('abort', end);
  if (stopped.aborted) end();
  return stream;
}

/** The cache, least recently used chunk first. */
function createStore(max: number) {
  const order = new RecentMap<Piece, { readonly list: PieceMap; readonly start: number }>({
    maxWeight: max,
    weigh: (_, { bytes }) => bytes.length,
    onEvict: (_, { list, start }) => list.delete(start),
  });

  return {
    get(list: PieceMap, start: number): Piece | undefined {
      const piece = list.get(start);
      return piece === undefined || order.get(piece) === undefined ? undefined : piece;
    },
    put(list: PieceMap, start: number, piece: Piece): void {
      order.set(piece, { list, start });
      if (order.has(piece)) list.set(start, piece);
    },
    get bytes(): number {
      return order.weight;
    },
  };
}
