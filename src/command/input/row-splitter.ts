import { CsvSplitter } from './csv-splitter.js';
import { LineSplitter } from './line-splitter.js';
import { InputError, type RawItem, type RawRow, type RowLimits } from './raw-row.js';
import { RowsAtPath } from './rows-at-path.js';
import { ValueSplitter } from './value-splitter.js';

/**
 * How values follow one another. `lines`: one on each line (NDJSON), so that a damaged one does not take others with it.
 * `json`: any white space or none between them, and an array stands for its elements. `auto`: `lines` when the first
 * line holds exactly one value that is no array, else `json`; one object with a list of objects at `items`, `data`, `results` or
 * `rows` and nothing behind it, as APIs answer, stands for that list. `csv` and `tsv`: a line of names, and rows below.
 */
export type RowFormat = 'auto' | 'lines' | 'json' | 'csv' | 'tsv';

export const rowFormats: readonly RowFormat[] = ['auto', 'lines', 'json', 'csv', 'tsv'];

/** What `auto` is for a file of this name, packed or not. */
export function formatOf(name: string, format: RowFormat): RowFormat {
  const [, ending] = /\.(csv|tsv)(?:\.gz)?$/i.exec(name) ?? [];
  return format !== 'auto' || ending === undefined ? format : ending.toLowerCase() === 'csv' ? 'csv' : 'tsv';
}

/** More about how an input is read. */
export interface RowReading {
  /** Where in one document the list of rows is, name by name; null where the document is rows itself. */
  readonly path: readonly string[] | null;
  /** Whether cells of CSV and TSV are texts, whatever they look like. */
  readonly asText: boolean;
}

const asItIs: RowReading = { path: null, asText: false };

/** The fields in which APIs answer with rows. */
const listNames = ['items', 'data', 'results', 'rows'];

/** Bytes that tell an encoding, and the longest beginning that is waited for to see them. */
const signatureBytes = 4;

/** Cuts one input into rows. Feed it with {@link push}, then call {@link end} once. */
export class RowSplitter {
  private head: Buffer | null = Buffer.alloc(0);
  private values: ValueSplitter | null = null;
  private lines: LineSplitter | null = null;
  private other: CsvSplitter | RowsAtPath | null = null;
  /** Whether a row has been given out: none behind it is a document. */
  private isPast = false;
  /** The first row, where it may turn out to be a document with the rows in it, and the name of their list. */
  private document: { readonly row: RawRow; readonly name: string } | null = null;

  constructor(
    private readonly format: RowFormat,
    private readonly limits: RowLimits,
    private readonly reading: RowReading = asItIs,
  ) {}

  /** The rows that end in this chunk. @throws InputError where nothing more can be read. */
  push(chunk: Buffer): Iterable<RawItem> {
    // What most inputs are, without a detour for each row.
    return this.lines !== null && this.isPast ? this.lines.push(chunk) : this.look(chunk);
  }

  private *look(chunk: Buffer): Generator<RawItem, void, undefined> {
    if (this.head !== null) {
      this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
      if (this.head.length >= signatureBytes) yield* this.start(this.head);
    } else yield* this.pass(chunk);
  }

  /** The row that ends with the input, if one does. @throws InputError for input that is cut off. */
  *end(): Generator<RawItem, void, undefined> {
    if (this.head !== null) yield* this.start(this.head);
    yield* this.opened((this.other ?? this.lines ?? this.values)?.end() ?? []);
    if (this.document === null) return;
    const { row, name } = this.document;
    const rows = new RowsAtPath(this.limits, [name], row.line);
    yield* rows.push(row.bytes);
    yield* rows.end();
  }

  private *start(head: Buffer): Generator<RawItem, void, undefined> {
    this.head = null;
    refuseForeign(head);
    const { path, asText } = this.reading;
    if (this.format === 'csv' || this.format === 'tsv')
      this.other = new CsvSplitter(this.limits, this.format === 'tsv' ? '\t' : null, asText);
    else if (path !== null) this.other = new RowsAtPath(this.limits, path);
    else if (this.format === 'lines') this.lines = new LineSplitter(this.limits, 0, 1);
    else this.values = new ValueSplitter(this.limits, this.format === 'auto');
    yield* this.pass(hasByteOrderMark(head) ? head.subarray(3) : head);
  }

  private *pass(chunk: Buffer): Generator<RawItem, void, undefined> {
    let rest = chunk;
    const { values } = this;
    if (this.other !== null) return yield* this.other.push(chunk);
    if (values !== null && this.lines === null) {
      yield* this.opened(values.push(chunk));
      if (values.linesAt === null) return;
      rest = chunk.subarray(values.linesAt);
      this.lines = new LineSplitter(this.limits, values.rows, values.line);
    }
    yield* this.opened(this.lines?.push(rest) ?? []);
  }

  /** Holds back a first row that may be a document. It is a row like others once something follows it. */
  private *opened(items: Iterable<RawItem>): Generator<RawItem, void, undefined> {
    this.isPast ||= this.format !== 'auto' || this.reading.path !== null;
    if (this.isPast) return yield* items;
    for (const item of items) {
      const mayBe = !this.isPast && this.document === null && this.values?.sawArray !== true;
      const name = mayBe ? listNameIn(item) : null;
      if (name !== null && !(item instanceof InputError)) this.document = { row: item, name };
      else {
        if (this.document !== null) yield this.document.row;
        this.document = null;
        this.isPast = true;
        yield item;
      }
    }
  }
}

/** Where the rows are in a row that is a document; null for one that is a row. */
function listNameIn(item: RawItem): string | null {
  if (
    item instanceof InputError ||
    item.number !== 1 ||
    !listNames.some((name) => item.bytes.includes(`"${name}"`))
  )
    return null;
  let value: unknown;
  try {
    value = JSON.parse(item.bytes.toString());
  } catch {
    return null;
  }
  const foundLists = listNames.filter((name) =>
    isListOfObjects((value as Readonly<Record<string, unknown>>)[name]),
  );
  return foundLists.length === 1 ? (foundLists[0] ?? null) : null;
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
}

function hasByteOrderMark(head: Buffer): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

/** What people pipe in by mistake, by its first bytes. */
function refuseForeign(head: Buffer): void {
  const [a, b, c, d] = head;
  const isWide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || a === 0 || b === 0;
  if (isWide && head.length >= 2) {
    const hint = 'convert it to UTF-8 first, for example with iconv -f UTF-16 -t UTF-8';
    throw foreign('wrong-encoding', 'the input is UTF-16 or binary, not UTF-8', hint);
  }
  if (a === 0x1f && b === 0x8b)
    throw foreign('compressed', 'the input is compressed', 'unpack it first: zcat FILE | tamis ...');
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) {
    throw foreign('compressed', 'the input is compressed', 'unpack it first: zstdcat FILE | tamis ...');
  }
}

function foreign(code: 'wrong-encoding' | 'compressed', message: string, hint: string): InputError {
  return new InputError(code, message, { row: 1, line: 1, column: null }, { hint });
}
