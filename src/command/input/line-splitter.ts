import { isAscii, isUtf8 } from 'node:buffer';
import { hasLongDigits } from '../../runtime/exact-json.js';
import { InputError, type RawItem, type RawRow, type RowLimits } from './raw-row.js';

const newline = 0x0a;

/**
 * Cuts NDJSON into rows: one value a line, blank lines ignored, lines ending in LF or CRLF. A line that is too large is
 * an error of that line only and is never held.
 */
export class LineSplitter {
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private isDiscarding = false;

  constructor(
    private readonly limits: RowLimits,
    private rows: number,
    private line: number,
  ) {}

  /** The rows whose lines end in this chunk. */
  push(chunk: Buffer): RawItem[] {
    const items: RawItem[] = [];
    const first = chunk.indexOf(newline);
    if (first === -1) {
      this.buffer(chunk);
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
    this.buffer(chunk.subarray(end));
    return items;
  }

  /** Whole lines, byte by byte. */
  private takeLines(lines: Buffer, items: RawItem[]): void {
    let start = 0;
    for (let end = lines.indexOf(newline); end !== -1; end = lines.indexOf(newline, start)) {
      const item = this.take(lines.subarray(start, end));
      this.line += 1;
      start = end + 1;
      if (item !== null) items.push(item);
    }
  }

  /** The same of lines that have been read as text, which is quick when it is done for many at once. */
  private takeText(text: string, items: RawItem[]): void {
    const isPlain = !hasLongDigits(text);
    for (let start = 0, end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = trimText(text, start, end);
      if (
        line.length * maxBytesOfUnit > this.limits.maxRowBytes &&
        Buffer.byteLength(line) > this.limits.maxRowBytes
      )
        items.push(this.tooLarge());
      else if (line !== '') {
        this.rows += 1;
        items.push(new TextRow(line, isPlain, this.rows, this.line));
      }
      this.line += 1;
      start = end + 1;
    }
  }

  /** The last line, where no newline ends it. */
  end(): RawItem[] {
    const item = this.take(Buffer.alloc(0));
    return item === null ? [] : [item];
  }

  private buffer(part: Buffer): void {
    this.bufferedBytes += part.length;
    if (this.bufferedBytes > this.limits.maxRowBytes) {
      this.isDiscarding = true;
      this.buffered = [];
    } else if (part.length > 0) this.buffered.push(part);
  }

  /** Ends the line at hand; null for a blank one. */
  private take(last: Buffer): RawItem | null {
    if (this.bufferedBytes + last.length > this.limits.maxRowBytes) this.isDiscarding = true;
    const wasDiscarding = this.isDiscarding;
    const line = this.buffered.length === 0 ? last : Buffer.concat([...this.buffered, last]);
    this.buffered = [];
    this.bufferedBytes = 0;
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

/** A row of which only the text is needed, unless it is written or wrong. */
class TextRow implements RawRow {
  readonly onOneLine = true;

  constructor(
    readonly text: string,
    readonly isPlain: boolean,
    readonly number: number,
    readonly line: number,
  ) {}

  get bytes(): Buffer {
    return Buffer.from(this.text);
  }
}

/** Bytes that one UTF-16 unit may take. */
const maxBytesOfUnit = 3;

/** Bytes as text, where they are UTF-8: then they are those that the text is written with. */
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
