import { CsvSplitter, type CsvOptions } from './csv-splitter.js';
import { JsonSplitter } from './json-splitter.js';
import { LineSplitter } from './line-splitter.js';
import { InputError, type RawItem, type RowLimits } from './raw-row.js';
import type { RowsPath } from './rows-path.js';

/**
 * How an input is divided into rows.
 *
 * - `lines`: one JSON value per line (NDJSON). An invalid line does not affect the others.
 * - `json`: JSON values, with or without white space between them. The elements of an array are the rows.
 * - `auto`: `lines` if the first line contains exactly one value other than an array, else `json`. If a document is an object
 *   with one list under a name such as `items`, as APIs return, the elements of that list are the rows.
 * - `csv` and `tsv`: a line of names, followed by rows.
 */
export type RowFormat = 'auto' | 'lines' | 'json' | 'csv' | 'tsv';

export const rowFormats: readonly RowFormat[] = ['auto', 'lines', 'json', 'csv', 'tsv'];

/** Options for reading an input. */
export interface InputOptions {
  readonly format: RowFormat;
  /** The path to the list of rows in each document; null if the documents are rows, arrays of rows or objects with one list. */
  readonly path: RowsPath | null;
  readonly csv: CsvOptions;
}

const endingPattern = /\.(csv|tsv|ndjson|jsonl)(?:\.gz)?$/i;

/** Returns the format that `auto` selects for a file name, compressed or not. */
export function formatOf(name: string, format: RowFormat): RowFormat {
  const ending = endingPattern.exec(name)?.[1]?.toLowerCase();
  return format === 'auto' && (ending === 'csv' || ending === 'tsv') ? ending : format;
}

/** Number of bytes that identify an encoding; this many are buffered for that. */
const signatureBytes = 6;

type Splitter = Pick<CsvSplitter | JsonSplitter | LineSplitter, 'push' | 'end'>;

/** Splits one input into rows. Call {@link push} for each chunk, then {@link end} once. */
export class RowSplitter {
  private head: Buffer | null = Buffer.alloc(0);
  private readonly splitter: Splitter;
  /** The splitter used until the input proves to be NDJSON. */
  private first: JsonSplitter | null = null;
  private lines: LineSplitter | null = null;
  private readonly opensEnvelopes: boolean;

  /** @param name the name of the file; its extension takes precedence over the content */
  constructor(
    name: string,
    { format: given, path, csv }: InputOptions,
    private readonly limits: RowLimits,
  ) {
    const format = formatOf(name, given);
    this.opensEnvelopes = format === 'auto' && !endingPattern.test(name);
    if (format === 'csv' || format === 'tsv') this.splitter = new CsvSplitter(limits, format, csv);
    else if (format === 'lines' && path === null) this.splitter = new LineSplitter(limits, 0, 1, false);
    else {
      const stopsForLines = format === 'auto' && path === null;
      const json = new JsonSplitter(limits, { path, opensEnvelopes: this.opensEnvelopes, stopsForLines });
      if (stopsForLines) this.first = json;
      this.splitter = json;
    }
  }

  /** Whether rows are buffered until more of the input is known. */
  get isWaiting(): boolean {
    return this.splitter instanceof CsvSplitter && this.splitter.isSampling;
  }

  /** Returns the buffered rows. */
  release(): Iterable<RawItem> {
    return this.splitter instanceof CsvSplitter ? this.splitter.release() : [];
  }

  /** Returns the rows that end in this chunk. @throws InputError if nothing more can be read. */
  push(chunk: Buffer): Iterable<RawItem> {
    if (this.lines !== null) return this.lines.push(chunk);
    if (this.head === null) return this.splitChunk(chunk);
    this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
    return this.head.length >= signatureBytes ? this.start(this.head) : [];
  }

  /** Returns the row that ends with the input, if there is one. @throws InputError if the input is truncated. */
  *end(): Generator<RawItem, void, undefined> {
    if (this.head !== null) yield* this.start(this.head);
    yield* (this.lines ?? this.splitter).end();
  }

  private start(head: Buffer): Iterable<RawItem> {
    this.head = null;
    rejectUnsupportedFile(head);
    return this.splitChunk(hasByteOrderMark(head) ? head.subarray(3) : head);
  }

  private splitChunk(chunk: Buffer): Iterable<RawItem> {
    return this.first === null ? this.splitter.push(chunk) : this.splitFirstChunks(this.first, chunk);
  }

  private *splitFirstChunks(first: JsonSplitter, chunk: Buffer): Generator<RawItem, void, undefined> {
    yield* first.push(chunk);
    if (first.linesAt === null) return;
    this.lines = new LineSplitter(this.limits, first.rows, first.line, this.opensEnvelopes);
    yield* this.lines.push(chunk.subarray(first.linesAt));
  }
}

function hasByteOrderMark(head: Buffer): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

/** Hexadecimal signatures of files that are not text, with their name and a way to extract rows. */
const unsupportedFiles: readonly (readonly [pattern: RegExp, name: string, hint: string])[] = [
  [/^1f8b/, 'compressed with gzip twice', 'unpack it first: zcat FILE | tamis ...'],
  [/^28b52ffd/, 'compressed with zstd (.zst)', 'unpack it first: zstdcat FILE | tamis ...'],
  [/^fd377a585a00/, 'compressed with xz (.xz)', 'unpack it first: xzcat FILE | tamis ...'],
  [/^425a683[1-9]31/, 'compressed with bzip2 (.bz2)', 'unpack it first: bzcat FILE | tamis ...'],
  [/^504b0304/, 'a ZIP archive or an Excel workbook', 'unpack it, or export the workbook as CSV, first'],
];

/** Rejects common kinds of wrong input by their first bytes. */
function rejectUnsupportedFile(head: Buffer): void {
  const place = { row: 1, line: 1, column: null };
  const digits = head.toString('hex', 0, signatureBytes);
  const found = unsupportedFiles.find(([pattern]) => pattern.test(digits));
  if (found !== undefined)
    throw new InputError('compressed', `the input is ${found[1]}`, place, { hint: found[2] });
  const isWide = /^(?:fffe|feff|00|..00)/.test(digits);
  if (!isWide || head.length < 2) return;
  const hint = 'convert it to UTF-8 first, for example with iconv -f UTF-16 -t UTF-8';
  throw new InputError('wrong-encoding', 'the input is UTF-16 or binary, not UTF-8', place, { hint });
}
