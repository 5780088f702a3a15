import { RecentMap } from 'tamis/internal';
import { jsonPieces, writeJson, type Chunk } from '@tamis/http';

/** Writes a list entry in chunks. The value of its property `shared` is serialised once for all entries with the same object. */
export type RowWriter = (row: object, shared: string) => Iterable<Chunk>;

/** Maximum total bytes of cached JSON strings. Prevents large jobs from filling the memory; a larger string is not cached. */
const maxCachedBytes = 16_777_216;
/** Minimum size, in bytes, for caching as a buffer that is sent directly: a string would be copied for each entry. */
const longText = 16_384;
/** Number of bytes sent at a time, so that slow readers can be distinguished from stalled ones. */
const pieceLength = 65_536;

/** A JSON string, split into the chunks in which it is sent. */
interface Written {
  readonly length: number;
  readonly chunks: readonly Chunk[];
}

/** Creates a writer of entries with this indentation; 0 for a single line. Written objects must not change. */
export function createRowWriter(indent: number, max = maxCachedBytes): RowWriter {
  const texts = new RecentMap<object, Written>({ maxWeight: max, weigh: ({ length }) => length });
  const newline = indent === 0 ? '' : `\n${' '.repeat(2 * indent)}`;
  const end = indent === 0 ? '' : `\n${' '.repeat(indent)}`;
  const blank = indent === 0 ? '' : ' ';

  function* chunksOf(value: object): Generator<Chunk, void, undefined> {
    let written = texts.get(value);
    if (written === undefined) {
      let text = '';
      for (const piece of jsonPieces(value, indent, 2)) {
        text += piece;
        // An empty chunk, so that other work can run.
        yield '';
      }
      written = splitText(text);
      texts.set(value, written);
    }
    yield* written.chunks;
  }

  return function* (row, shared) {
    const given: unknown = (row as Readonly<Record<string, unknown>>)[shared];
    if (typeof given !== 'object' || given === null) {
      yield writeJson(row, indent, 1);
      return;
    }
    let text = '';
    let separator = '{';
    for (const [name, value] of Object.entries(row) as [string, unknown][]) {
      if (value === undefined) continue;
      text += `${separator}${newline}${writeJson(name)}:${blank}`;
      separator = ',';
      if (name === shared) {
        yield text;
        yield* chunksOf(given);
        text = '';
      } else text += writeJson(value, indent, 2);
    }
    yield `${text}${end}}`;
  };
}

function splitText(text: string): Written {
  // Converted to bytes once: otherwise each entry that contains it would join the pieces of the string again.
  const bytes = Buffer.from(text);
  const { length } = bytes;
  if (length < longText) return { length, chunks: [bytes.toString()] };
  const chunks: Buffer[] = [];
  for (let at = 0; at < length; at += pieceLength) chunks.push(bytes.subarray(at, at + pieceLength));
  return { length, chunks };
}
