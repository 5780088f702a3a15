import { Readable } from 'node:stream';
import type { Slices } from './slices.js';

/** Rows up to which a list can be one string. */
const rowsInOneText = 256;
/** Characters up to which it can: rows may be large themselves. */
const longestText = 262_144;
/** Characters of text made at a time: large enough for the socket, small enough not to hold up other requests. */
const sliceLength = 65_536;

/** How an array is written down. `write` gives the JSON of one entry, indented by one level when `pretty`. */
export interface ListForm<T> {
  readonly write: (item: T) => string;
  readonly pretty: boolean;
}

/** The JSON of an array in one string; null when that would be a long one: then it must be a stream. */
export function jsonListText<T>(items: readonly T[], form: ListForm<T>): string | null {
  if (items.length > rowsInOneText) return null;
  const printer = createPrinter(items, form);
  return printer.print(longestText, () => false) ? printer.take() : null;
}

/**
 * The JSON of an array as a stream. It is made in slices, and only as fast as it is read: a million entries exceed the
 * longest string there is, and a slow reader must not make the server hold them all. Ends with the error that ends the
 * slices, and ends them when nobody reads on.
 */
export function jsonListStream<T>(items: readonly T[], form: ListForm<T>, slices: Slices): Readable {
  const printer = createPrinter(items, form);
  const gone = new AbortController();
  const print = (isOver: () => boolean): boolean => {
    const isDone = printer.print(sliceLength, isOver);
    return isDone || printer.length >= sliceLength;
  };
  // One that waits for its reader has no work under way that could be ended.
  const end = (): void => void stream.destroy(slices.stopped.reason as Error);
  const stream = new Readable({
    highWaterMark: sliceLength,
    read() {
      const give = (): void => {
        this.push(printer.take());
        if (printer.isDone) this.push(null);
      };
      try {
        const work = slices.run(print, gone.signal);
        if (work === null) give();
        else work.then(give, (error: Error) => this.destroy(error));
      } catch (error) {
        this.destroy(error as Error);
      }
    },
    destroy(error, done) {
      slices.stopped.removeEventListener('abort', end);
      gone.abort(error ?? new Error('The list is not read on'));
      done(error);
    },
  });
  slices.stopped.addEventListener('abort', end);
  if (slices.stopped.aborted) end();
  return stream;
}

/** Writes an array down, piece by piece. */
interface Printer {
  /** Adds to the text until it has this length or `isOver` says so; true when everything is there. */
  print(length: number, isOver: () => boolean): boolean;
  /** The text made since the last time. */
  take(): string;
  readonly length: number;
  readonly isDone: boolean;
}

function createPrinter<T>(items: readonly T[], { write, pretty }: ListForm<T>): Printer {
  const newline = pretty ? '\n    ' : '';
  let at = 0;
  let text = '[';
  let isDone = false;
  return {
    print(length, isOver) {
      while (at < items.length) {
        if (text.length >= length || isOver()) return false;
        text += `${at === 0 ? '' : ','}${newline}${write(items[at] as T)}`; // at < items.length
        at += 1;
      }
      if (!isDone) text += `${pretty && items.length > 0 ? '\n' : ''}]${pretty ? '\n' : ''}`;
      isDone = true;
      return true;
    },
    take() {
      const made = text;
      text = '';
      return made;
    },
    get length() {
      return text.length;
    },
    get isDone() {
      return isDone;
    },
  };
}
