import { InputError, type RawItem, type RawRow, type RowLimits } from './raw-row.js';

const newline = 0x0a;

/**
 * Cuts NDJSON into rows: one value a line, blank lines ignored, lines ending in LF or CRLF. A line that is too large is
 * an error of that line only and is never held.
 */
export class LineSplitter {
  private held: Buffer[] = [];
  private heldBytes = 0;
  private isDiscarding = false;

  constructor(
    private readonly limits: RowLimits,
    private rows: number,
    private line: number,
  ) {}

  /** The rows whose lines end in this chunk. */
  *push(chunk: Buffer): Generator<RawItem, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const item = this.take(chunk.subarray(start, end));
      this.line += 1;
      start = end + 1;
      if (item !== null) yield item;
    }
    this.hold(chunk.subarray(start));
  }

  /** The last line, where no newline ends it. */
  *end(): Generator<RawItem, void, undefined> {
    const item = this.take(Buffer.alloc(0));
    if (item !== null) yield item;
  }

  private hold(part: Buffer): void {
    this.heldBytes += part.length;
    if (this.heldBytes > this.limits.maxRowBytes) {
      this.isDiscarding = true;
      this.held = [];
    } else if (part.length > 0) this.held.push(part);
  }

  /** Ends the line at hand; null for a blank one. */
  private take(last: Buffer): RawItem | null {
    if (this.heldBytes + last.length > this.limits.maxRowBytes) this.isDiscarding = true;
    const wasDiscarding = this.isDiscarding;
    const line = this.held.length === 0 ? last : Buffer.concat([...this.held, last]);
    this.held = [];
    this.heldBytes = 0;
    this.isDiscarding = false;
    if (wasDiscarding) return this.tooLarge();
    const bytes = trim(line);
    return bytes.length === 0 ? null : this.row(bytes);
  }

  private row(bytes: Buffer): RawRow {
    this.rows += 1;
    return { bytes, number: this.rows, line: this.line, onOneLine: true };
  }

  private tooLarge(): InputError {
    this.rows += 1;
    const message = `line ${this.line} has more than ${this.limits.maxRowBytes} bytes`;
    return new InputError('too-large', message, { row: this.rows, line: this.line, column: null });
  }
}

/** Without the white space of JSON at both ends. */
function trim(line: Buffer): Buffer {
  let start = 0;
  let end = line.length;
  while (start < end && isBlank(line[start])) start += 1;
  while (end > start && isBlank(line[end - 1])) end -= 1;
  return start === 0 && end === line.length ? line : line.subarray(start, end);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
