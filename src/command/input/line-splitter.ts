import { isAscii, isUtf8 } from 'node:buffer';
import { hasLongDigits } from '../../runtime/exact-json.js';
import { newline } from './json-byte.js';
import { JsonSplitter } from './json-splitter.js';
import { mayBeEnvelope } from './list-finder.js';
import { InputError, TextRow, type RawItem, type RawRow, type RowLimits } from './raw-row.js';

/** Bytes of a line in which its first key must end. */
const headBytes = 1_024;

/**
 * Splits NDJSON into rows: one value per line, blank lines ignored, lines ending in LF or CRLF. A line that is too large is an
 * error of that line only and is never buffered, unless it is an envelope, whose elements are rows.
 */
export class LineSplitter {
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private isDiscarding = false;
  /** Splits the line at hand if it is an envelope that is larger than a row. */
  private envelope: JsonSplitter | null = null;

  constructor(
    private readonly limits: RowLimits,
    private rows: number,
    private line: number,
    private readonly opensEnvelopes: boolean,
  ) {}

  /** Returns the rows whose lines end in this chunk. */
  push(chunk: Buffer): RawItem[] {
    const items: RawItem[] = [];
    const first = chunk.indexOf(newline);
    if (first === -1) {
      this.buffer(chunk, items);
      return items;
    }
    const isBegun = this.bufferedBytes > 0;
    const start = isBegun ? first + 1 : 0;
    if (isBegun) this.takeLines(chunk.subarray(0, start), items);
    const end = chunk.lastIndexOf(newline) + 1;
    const lines = chunk.subarray(start, end);
    const text = textOf(lines);
    if (text === null) this.takeLines(lines, items);
    else this.takeText(text, items);
    this.buffer(chunk.subarray(end), items);
    return items;
  }

  /** Whole lines, byte by byte. */
  private takeLines(lines: Buffer, items: RawItem[]): void {
    let start = 0;
    for (let end = lines.indexOf(newline); end !== -1; end = lines.indexOf(newline, start)) {
      this.take(lines.subarray(start, end), items);
      this.line += 1;
      start = end + 1;
    }
  }

  /** The same for lines decoded as a string, which is fast if many are decoded at once. */
  private takeText(text: string, items: RawItem[]): void {
    const isPlain = !hasLongDigits(text);
    for (let start = 0, end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = trimText(text, start, end);
      if (
        line.length * maxBytesOfUnit > this.limits.maxRowBytes &&
        Buffer.byteLength(line) > this.limits.maxRowBytes
      )
        this.takeLarge(Buffer.from(line), items);
      else if (this.opensEnvelopes && mayBeEnvelope(line, true)) this.split(Buffer.from(line), items);
      else if (line !== '') {
        this.rows += 1;
        items.push(new TextRow(line, isPlain, this.rows, this.line));
      }
      this.line += 1;
      start = end + 1;
    }
  }

  /** The last line, if no newline ends it. */
  end(): RawItem[] {
    const items: RawItem[] = [];
    this.take(Buffer.alloc(0), items);
    return items;
  }

  private buffer(part: Buffer, items: RawItem[]): void {
    this.bufferedBytes += part.length;
    if (this.envelope !== null) this.pass(part, false, items);
    else if (this.isDiscarding || part.length === 0) return;
    else {
      this.buffered.push(part);
      if (this.bufferedBytes > this.limits.maxRowBytes) this.takeLarge(this.unbuffer(), items, false);
    }
  }

  private unbuffer(): Buffer {
    const { buffered } = this;
    this.buffered = [];
    return Buffer.concat(buffered);
  }

  /** Ends the line at hand, with these bytes. */
  private take(last: Buffer, items: RawItem[]): void {
    const size = this.bufferedBytes + last.length;
    this.bufferedBytes = 0;
    if (this.envelope !== null) this.pass(last, true, items);
    else if (!this.isDiscarding) {
      const bytes = trim(this.buffered.length === 0 ? last : Buffer.concat([this.unbuffer(), last]));
      if (size > this.limits.maxRowBytes) this.takeLarge(bytes, items);
      else if (this.opensEnvelopes && mayBeEnvelope(bytes.toString('latin1'), true)) this.split(bytes, items);
      else if (bytes.length > 0) items.push(this.row(bytes));
    }
    this.isDiscarding = false;
  }

  /** A line, or the beginning of one, that is too large for a row. */
  private takeLarge(bytes: Buffer, items: RawItem[], isWhole = true): void {
    if (this.opensEnvelopes && mayBeEnvelope(bytes.toString('latin1', 0, headBytes), false))
      this.split(bytes, items, isWhole);
    else {
      items.push(this.tooLarge());
      this.isDiscarding = !isWhole;
    }
  }

  /** Splits a line that may be an envelope. */
  private split(bytes: Buffer, items: RawItem[], isWhole = true): void {
    const reading = { path: null, opensEnvelopes: true };
    const found: RawItem[] = [];
    const before = this.rows;
    this.envelope = new JsonSplitter(this.limits, reading, this.line, this.rows);
    this.pass(bytes, isWhole, found);
    const [first] = found;
    // The parser describes the fault of a damaged line best.
    if (isWhole && first instanceof InputError && first.code === 'cut-off') {
      this.rows = before;
      items.push(this.row(bytes));
    } else items.push(...found);
  }

  private pass(part: Buffer, isLast: boolean, items: RawItem[]): void {
    const { envelope } = this;
    if (envelope === null) return;
    if (isLast) this.envelope = null;
    try {
      for (const row of envelope.push(part)) items.push(row);
      if (isLast) for (const row of envelope.end()) items.push(row);
      this.rows = envelope.rows;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      items.push(error);
      this.rows = envelope.rows + 1;
      this.envelope = null;
      this.isDiscarding = !isLast;
    }
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

/** Bytes that one UTF-16 unit may take. */
const maxBytesOfUnit = 3;

/** Decodes bytes if they are UTF-8: encoding the string then gives the same bytes. */
function textOf(bytes: Buffer): string | null {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString() : null;
}

function trimText(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
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
