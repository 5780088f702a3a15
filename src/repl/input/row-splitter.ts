import { LineSplitter } from './line-splitter.js';
import { InputError, type RawItem, type RowLimits } from './raw-row.js';
import { ValueSplitter } from './value-splitter.js';

/**
 * How values follow one another. `lines`: one on each line (NDJSON), so that a damaged one does not take others with it.
 * `json`: any white space or none between them, and an array stands for its elements. `auto`: `lines` when the first
 * line holds exactly one value that is no array, else `json`.
 */
export type RowFormat = 'auto' | 'lines' | 'json';

export const rowFormats: readonly RowFormat[] = ['auto', 'lines', 'json'];

/** Bytes that tell an encoding, and the longest beginning that is waited for to see them. */
const signatureBytes = 4;

/** Cuts one input into rows. Feed it with {@link push}, then call {@link end} once. */
export class RowSplitter {
  private head: Buffer | null = Buffer.alloc(0);
  private values: ValueSplitter | null = null;
  private lines: LineSplitter | null = null;

  constructor(
    private readonly format: RowFormat,
    private readonly limits: RowLimits,
  ) {}

  /** The rows that end in this chunk. @throws InputError where nothing more can be read. */
  *push(chunk: Buffer): Generator<RawItem, void, undefined> {
    if (this.head !== null) {
      this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
      if (this.head.length >= signatureBytes) yield* this.start(this.head);
    } else yield* this.pass(chunk);
  }

  /** The row that ends with the input, if one does. @throws InputError for input that is cut off. */
  *end(): Generator<RawItem, void, undefined> {
    if (this.head !== null) yield* this.start(this.head);
    yield* (this.lines ?? this.values)?.end() ?? [];
  }

  private *start(head: Buffer): Generator<RawItem, void, undefined> {
    this.head = null;
    refuseForeign(head);
    if (this.format === 'lines') this.lines = new LineSplitter(this.limits, 0, 1);
    else this.values = new ValueSplitter(this.limits, this.format === 'auto');
    yield* this.pass(hasByteOrderMark(head) ? head.subarray(3) : head);
  }

  private *pass(chunk: Buffer): Generator<RawItem, void, undefined> {
    let rest = chunk;
    const { values } = this;
    if (values !== null && this.lines === null) {
      yield* values.push(chunk);
      if (values.linesAt === null) return;
      rest = chunk.subarray(values.linesAt);
      this.lines = new LineSplitter(this.limits, values.rows, values.line);
    }
    yield* this.lines?.push(rest) ?? [];
  }
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
