import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  newline,
  openBrace,
  openBracket,
  quote,
} from './json-byte.js';
import { InputError, type InputErrorCode, type RawRow, type RowLimits } from './raw-row.js';

/** What may come next outside of a value. */
type Gap = 'value' | 'first-element' | 'element' | 'comma';

/**
 * Finds the ends of JSON values in bytes that arrive in chunks cut anywhere. Each top-level value is a row, except that
 * a top-level array stands for its elements, which are never held all at once. What is between the brackets of a row
 * is not looked at: whether it is JSON shows when it is parsed.
 */
export class ValueSplitter {
  /** Where in the last chunk the lines begin, when {@link push} has stopped for that. */
  linesAt: number | null = null;

  /** Whether the input is a list, or has one: its elements are rows. */
  sawArray = false;
  /** Whether the list of `onlyArray` has ended: what follows it is not looked at. */
  arrayEnded = false;

  line = 1;
  rows = 0;

  private gap: Gap = 'value';
  private inArray = false;
  private inValue = false;

  /** The value at hand: what chunks before this one hold of it, and how it began. */
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private startLine = 1;
  private isScalar = false;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  constructor(
    private readonly limits: RowLimits,
    /** Stop behind the first line if it holds exactly one value: the input is NDJSON. */
    private readonly stopForLines: boolean,
    /** One list, which begins on this line, and nothing behind it. */
    private readonly onlyArray: { readonly line: number } | null = null,
  ) {
    if (onlyArray !== null) this.line = onlyArray.line;
  }

  /** The rows that end in this chunk. @throws InputError where no row can be told from the next any more. */
  *push(chunk: Buffer): Generator<RawRow, void, undefined> {
    let at = 0;
    while (at < chunk.length) {
      if (!this.inValue) {
        at = this.skipGap(chunk, at);
        if (this.linesAt !== null || !this.inValue) return;
      }
      const start = at;
      at = this.skipValue(chunk, at);
      if (this.bufferedBytes + at - start > this.limits.maxRowBytes) throw this.tooLarge();
      if (this.inValue) {
        this.buffered.push(chunk.subarray(start, at));
        this.bufferedBytes += at - start;
        return;
      }
      yield this.finish(chunk.subarray(start, at));
    }
  }

  /** The row that ends with the input, if one does. @throws InputError where the input was cut off. */
  *end(): Generator<RawRow, void, undefined> {
    if (this.inValue && !(this.isScalar && !this.inString)) {
      const opener = this.inString ? 'a string' : 'a row';
      throw this.fault(
        'cut-off',
        `the input ends inside ${opener} that began on line ${this.startLine}`,
        this.rows + 1,
      );
    }
    if (this.inValue) yield this.finish(Buffer.alloc(0));
    if (this.inArray)
      throw this.fault('cut-off', 'the input ends before the closing ] of its array', this.rows);
  }

  /** Passes what stands between values. Returns where the next value begins, or the end of the chunk. */
  private skipGap(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === newline) {
        this.line += 1;
        if (this.stopForLines && this.rows === 1 && !this.sawArray && this.line === this.startLine + 1) {
          this.linesAt = at + 1;
          return at;
        }
      } else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) {
        if (byte === undefined) continue;
        if (this.passPunctuation(byte)) {
          if (!this.arrayEnded) continue;
          return at;
        }
        this.begin(byte);
        return at;
      }
    }
    return chunk.length;
  }

  /** Brackets and commas of a top-level array. False for the beginning of a value. */
  private passPunctuation(byte: number): boolean {
    const { gap } = this;
    if (byte === openBracket && gap === 'value') {
      this.inArray = true;
      this.sawArray = true;
      this.gap = 'first-element';
      return true;
    }
    if (byte === closeBracket && (gap === 'comma' || gap === 'first-element')) {
      this.inArray = false;
      this.gap = 'value';
      this.arrayEnded = this.onlyArray !== null;
      return true;
    }
    if (byte === comma && gap === 'comma') {
      this.gap = 'element';
      return true;
    }
    if (gap === 'comma') throw this.unexpected(byte, 'a comma or ] after an element of the array');
    if (byte === comma || byte === closeBracket || byte === closeBrace || byte === colon) {
      throw this.unexpected(byte, gap === 'value' ? 'a row' : 'an element of the array');
    }
    return false;
  }

  private begin(byte: number): void {
    this.inValue = true;
    this.startLine = this.line;
    this.isScalar = byte !== openBrace && byte !== openBracket;
    this.depth = 0;
  }

  /** Passes what belongs to the value at hand. Returns its end and clears `inValue`, or returns the end of the chunk. */
  private skipValue(chunk: Buffer, from: number): number {
    if (this.isScalar) return this.skipScalar(chunk, from);
    const { length } = chunk;
    let { depth } = this;
    let at = from;
    while (at < length) {
      if (this.inString) {
        at = this.skipString(chunk, at);
        continue;
      }
      const byte = chunk[at];
      at += 1;
      if (byte === quote) this.inString = true;
      else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth > this.limits.maxRowDepth) throw this.tooDeep();
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 0) return this.close(at);
      } else if (byte === newline) this.line += 1;
    }
    this.depth = depth;
    return at;
  }

  /** The same for a top-level number, word or string. */
  private skipScalar(chunk: Buffer, from: number): number {
    if (this.inString) {
      const at = this.skipString(chunk, from);
      return this.inString ? at : this.close(at);
    }
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === undefined || endsScalar(byte)) return this.close(at);
      if (byte !== quote) continue;
      if (at > from || this.bufferedBytes > 0) return this.close(at);
      this.inString = true;
      const end = this.skipString(chunk, at + 1);
      return this.inString ? end : this.close(end);
    }
    return chunk.length;
  }

  /** Passes the inside of a string and its closing quote. */
  private skipString(chunk: Buffer, from: number): number {
    const { length } = chunk;
    let at = from;
    while (at < length) {
      const byte = chunk[at];
      at += 1;
      if (byte === newline) this.line += 1;
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === backslash) this.isEscaped = true;
      else if (byte === quote) {
        this.inString = false;
        return at;
      }
    }
    return at;
  }

  private close(at: number): number {
    this.inValue = false;
    this.gap = this.inArray ? 'comma' : 'value';
    return at;
  }

  private finish(last: Buffer): RawRow {
    const bytes = this.buffered.length === 0 ? last : Buffer.concat([...this.buffered, last]);
    this.buffered = [];
    this.bufferedBytes = 0;
    this.inValue = false;
    this.gap = this.inArray ? 'comma' : 'value';
    this.rows += 1;
    return { bytes, number: this.rows, line: this.startLine, onOneLine: this.line === this.startLine };
  }

  private unexpected(byte: number, expected: string): InputError {
    const found = JSON.stringify(String.fromCharCode(byte));
    return this.fault('between-values', `expected ${expected}, found ${found}`, this.rows + 1);
  }

  private tooLarge(): InputError {
    const message = `the row that begins on line ${this.startLine} has more than ${this.limits.maxRowBytes} bytes`;
    return this.fault('too-large', message, this.rows + 1);
  }

  private tooDeep(): InputError {
    const message = `the row that begins on line ${this.startLine} is nested more than ${this.limits.maxRowDepth} deep`;
    return this.fault('too-deep', message, this.rows + 1);
  }

  private fault(code: InputErrorCode, message: string, row: number): InputError {
    return new InputError(code, message, { row, line: this.line, column: null });
  }
}

/** Whether a byte cannot belong to a number or a word such as `true`. */
function endsScalar(byte: number): boolean {
  return (
    byte <= 0x20 ||
    byte === comma ||
    byte === colon ||
    byte === openBracket ||
    byte === closeBracket ||
    byte === openBrace ||
    byte === closeBrace
  );
}
