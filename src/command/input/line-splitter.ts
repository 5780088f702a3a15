import { isAscii, isUtf8 } from 'node:buffer';
import { hasLongDigits } from '../../runtime/exact-json.js';
import { newline } from './json-byte.js';
import { JsonSplitter } from './json-splitter.js';
import { mayBeEnvelope } from './list-finder.js';
import { InputError, TextRow, type RawItem, type RawRow, type RowLimits } from './raw-row.js';

/** Number of bytes at the start of a line within which its first key must end. */
const headBytes = 1_024;

/**
 * Splits NDJSON into rows: one value per line, blank lines ignored, lines ending in LF or CRLF. A line that is too large is an
 * error of that line only and is never buffered, unless it is an envelope, whose elements are rows.
 */
export class LineSplitter {
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private isDiscarding = false;
  /** Splits the current line if it is an envelope that is larger than a row. */
  private envelope: JsonSplitter | null = null;

  constructor(
    private readonly limits: RowLimits,
    private rows: number,
    private line: number,
    private readonly opensEnvelopes: boolean,
  ) {}

  /** Returns the rows whose lines end in this chunk. */
  *push(chunk: Buffer): Generator<RawItem, void, undefined> {
    const first = chunk.indexOf(newline);
    if (first === -1) return yield* this.buffer(chunk);
    const isBegun = this.bufferedBytes > 0;
    const start = isBegun ? first + 1 : 0;
    if (isBegun) yield* this.takeLines(chunk.subarray(0, start));
    const end = chunk.lastIndexOf(newline) + 1;
    const lines = chunk.subarray(start, end);
    const text = textOf(lines);
    yield* text === null ? this.takeLines(lines) : this.takeText(text);
    yield* this.buffer(chunk.subarray(end));
  }

  /** Splits whole lines byte by byte. */
  private *takeLines(lines: Buffer): Generator<RawItem, void, undefined> {
    let start = 0;
    for (let end = lines.indexOf(newline); end !== -1; end = lines.indexOf(newline, start)) {
      yield* this.take(lines.subarray(start, end));
      this.line += 1;
      start = end + 1;
    }
  }

  /** Splits lines that were decoded as one string, which is faster. */
  private *takeText(text: string): Generator<RawItem, void, undefined> {
    const isPlain = !hasLongDigits(text);
    for (let start = 0, end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = trimText(text, start, end);
      const mayBeLarge = line.length * maxBytesOfUnit > this.limits.maxRowBytes;
      if (mayBeLarge || (this.opensEnvelopes && mayBeEnvelope(line, true)))
        yield* this.take(Buffer.from(line));
      else if (line !== '') {
        this.rows += 1;
        yield new TextRow(line, isPlain, this.rows, this.line);
      }
      this.line += 1;
      start = end + 1;
    }
  }

  /** Returns the last line if it is not terminated. */
  end(): Iterable<RawItem> {
    return this.take(Buffer.alloc(0));
  }

  /** Buffers the beginning of a line. */
  private *buffer(part: Buffer): Generator<RawItem, void, undefined> {
    this.bufferedBytes += part.length;
    if (this.envelope !== null) yield* this.pass(this.envelope, part, false);
    else if (this.isDiscarding || part.length === 0) return;
    else {
      this.buffered.push(part);
      if (this.bufferedBytes <= this.limits.maxRowBytes) return;
      const bytes = this.unbuffer();
      if (this.opensEnvelopes && mayBeEnvelope(bytes.toString('latin1', 0, headBytes), false))
        yield* this.pass(this.openEnvelope(), bytes, false);
      else {
        this.isDiscarding = true;
        yield this.tooLarge();
      }
    }
  }

  private unbuffer(): Buffer {
    const { buffered } = this;
    this.buffered = [];
    return Buffer.concat(buffered);
  }

  /** Ends the current line with these bytes. */
  private *take(last: Buffer): Generator<RawItem, void, undefined> {
    const { envelope, isDiscarding } = this;
    this.bufferedBytes = 0;
    this.isDiscarding = false;
    if (envelope !== null) return yield* this.pass(envelope, last, true);
    if (isDiscarding) return;
    const bytes = trim(this.buffered.length === 0 ? last : Buffer.concat([this.unbuffer(), last]));
    if (this.opensEnvelopes && mayBeEnvelope(bytes.toString('latin1'), true))
      yield* this.pass(this.openEnvelope(), bytes, true, true);
    else if (bytes.length > this.limits.maxRowBytes) yield this.tooLarge();
    else if (bytes.length > 0) yield this.row(bytes);
  }

  private openEnvelope(): JsonSplitter {
    const reading = { path: null, opensEnvelopes: true };
    return (this.envelope = new JsonSplitter(this.limits, reading, this.line, this.rows));
  }

  /** Splits a line that may be an envelope. */
  private *pass(
    envelope: JsonSplitter,
    part: Buffer,
    isLast: boolean,
    isWhole = false,
  ): Generator<RawItem, void, undefined> {
    if (isLast) this.envelope = null;
    try {
      yield* envelope.push(part);
      if (isLast) yield* envelope.end();
      this.rows = envelope.rows;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.envelope = null;
      this.isDiscarding = !isLast;
      this.rows = envelope.rows;
      // The JSON parser describes the fault of a damaged line best.
      if (isWhole && error.code === 'cut-off') yield this.row(part);
      else {
        this.rows += 1;
        yield error;
      }
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

/** Maximum number of UTF-8 bytes of one UTF-16 unit. */
const maxBytesOfUnit = 3;

/** Decodes bytes if they are valid UTF-8, so that encoding the string returns the same bytes. */
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

/** Returns a line without JSON white space at both ends. */
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
