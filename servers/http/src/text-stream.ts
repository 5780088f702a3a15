import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { TimeSlicer } from 'tamis/internal';

/** Length of a generated slice, in characters: large enough for the socket, small enough not to delay other requests. */
export const sliceLength = 65_536;

/** A part of a response: bytes if many responses share it. */
export type Chunk = string | Buffer;

/** A string generated in chunks. */
export type Printer = ReturnType<typeof printPieces>;

/** Returns a printer of the given chunks. Each must be short enough to be generated without a pause. */
export function printPieces(pieces: Iterator<Chunk, unknown, undefined>) {
  let chunks: Chunk[] = [];
  let text = '';
  let length = 0;
  let isDone = false;

  function add(piece: Chunk): void {
    length += piece.length;
    if (typeof piece === 'string') {
      text += piece;
      return;
    }
    if (text !== '') chunks.push(text);
    text = '';
    chunks.push(piece);
  }

  return {
    /** Generates more until the string has this length or `shouldYield` returns true. Returns true when it is complete. */
    print(goal: number, shouldYield: () => boolean): boolean {
      while (!isDone) {
        if (length >= goal || shouldYield()) return false;
        const { done, value } = pieces.next();
        if (done === true) isDone = true;
        else add(value);
      }
      return true;
    },
    /** Returns the chunks generated since the last call. Bytes are not copied. */
    take(): readonly Chunk[] {
      const made = text === '' ? chunks : [...chunks, text];
      chunks = [];
      text = '';
      length = 0;
      return made;
    },
    get length(): number {
      return length;
    },
    get isDone(): boolean {
      return isDone;
    },
  };
}

/**
 * Returns a generated string as a stream. It is produced in slices, only as fast as it is read: a slow reader must not make the
 * server buffer all of it. Fails with the error of the slices, and stops them when the reader leaves.
 */
export function textStream(printer: Printer, slices: TimeSlicer): Readable {
  const gone = new AbortController();
  const print = (shouldYield: () => boolean): boolean => {
    const isDone = printer.print(sliceLength, shouldYield);
    return isDone || printer.length >= sliceLength;
  };
  // A stream that waits for its reader has no work in progress to cancel.
  const end = (): void => void stream.destroy(slices.stopped.reason as Error);
  const stream = new Readable({
    highWaterMark: sliceLength,
    read() {
      const give = (): void => {
        for (const chunk of printer.take()) this.push(chunk);
        if (printer.isDone) this.push(null);
      };
      const work = slices.run(print, gone.signal, 'further');
      if (work === null) give();
      else work.then(give, (error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      slices.stopped.removeEventListener('abort', end);
      gone.abort(error ?? new Error('The text is not read on'));
      done(error);
    },
  });
  // Each stream adds a listener.
  setMaxListeners(0, slices.stopped);
  slices.stopped.addEventListener('abort', end);
  if (slices.stopped.aborted) end();
  return stream;
}
