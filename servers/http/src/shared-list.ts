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

/** A long list that many may read at once. */
export interface SharedList {
  /** Begins to read it. Ends with the error that ends the slices. */
  read(): Readable;
}

/**
 * Long lists as bytes: a piece is printed once for all who read the list, and kept while there is room for it. Who reads
 * slowly holds the piece that is on its way and no more, and has later ones made again if they are gone by then.
 */
export interface SharedLists {
  share<T>(items: readonly T[], form: ListForm<T>): SharedList;
  /** Bytes of pieces that are kept. */
  readonly cached: number;
  /** Pieces that have been made, those that had to be made again included. */
  readonly made: number;
}

/** Bytes of all pieces that are kept together. Stops long lists from filling the memory. */
const maxCachedLength = 33_554_432;

/**
 * Milliseconds of each turn in which pieces are handed out. The runtime accepts one connection a turn, so the turns of a
 * crowd that reads must be short for the crowd that comes.
 */
const handOutBudget = 2;

/** A part of a list as bytes. */
interface Piece {
  readonly bytes: Buffer;
  /** The item that the next piece begins with; null after the last. */
  readonly next: number | null;
}

/** What is kept, the longest unused first. */
interface Store {
  get(list: PieceMap, start: number): Piece | undefined;
  put(list: PieceMap, start: number, piece: Piece): void;
  readonly bytes: number;
}

type PieceMap = Map<number, Piece>;

export function createSharedLists(slices: TimeSlicer, max = maxCachedLength): SharedLists {
  const store = createStore(max);
  // Each who reads hears of the end.
  setMaxListeners(0, slices.stopped);
  // To hand out what is there costs as much as to make it, once for each who reads: hundreds wait for the same piece.
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
        // A piece is short: it is made even if no reader waits for it any more.
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
  // One that waits for its reader has no work under way that could be ended.
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

function createStore(max: number): Store {
  const order = new RecentMap<Piece, { readonly list: PieceMap; readonly start: number }>({
    maxWeight: max,
    weigh: (_, { bytes }) => bytes.length,
    onEvict: (_, { list, start }) => list.delete(start),
  });

  return {
    get(list, start) {
      const piece = list.get(start);
      return piece === undefined || order.get(piece) === undefined ? undefined : piece;
    },
    put(list, start, piece) {
      order.set(piece, { list, start });
      if (order.has(piece)) list.set(start, piece);
    },
    get bytes() {
      return order.weight;
    },
  };
}
