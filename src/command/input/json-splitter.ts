import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  lowerN,
  newline,
  openBrace,
  openBracket,
  quote,
} from './json-byte.js';
import { ListFinder } from './list-finder.js';
import { InputError, type InputErrorCode, type RawRow, type RowLimits } from './raw-row.js';
import { pathText, type RowsPath } from './rows-path.js';

/** The tokens that may come next outside of a value. */
type Gap = 'value' | 'first-element' | 'element' | 'first-key' | 'key' | 'colon' | 'field' | 'comma';

/**
 * An open level around the current position: a list whose elements are documents or rows, an object of a document, or, on a path,
 * a list or an object whose elements or values are followed.
 */
interface Level {
  readonly kind: 'documents' | 'rows' | 'object' | 'elements' | 'values';
  /** Index of the step of the path that leads on from here. */
  readonly step: number;
}

/** How documents are divided into rows. */
export interface DocumentReading {
  /** The path to the list of rows in each document; null if documents are rows. */
  readonly path: RowsPath | null;
  /** Whether the elements of the list in an envelope are rows; only without a path. `known`: the document is an envelope. */
  readonly opensEnvelopes: boolean | 'known';
  /** Whether to stop after the first line if it contains exactly one value, because the input is NDJSON. */
  readonly stopsForLines?: boolean;
}

/** A document that may be an envelope or a row. Its bytes are buffered until that is determined. */
interface PendingDocument {
  parts: Buffer[];
  bytes: number;
  /** Offset in the current chunk of the first byte that is not in `parts` yet. */
  from: number;
  readonly line: number;
  /** Splits an envelope that is larger than a row, so that its bytes need not be buffered. */
  splitter: JsonSplitter | null;
}

/** Maximum number of names in a message about a missing list. */
const maxReported = 10;

/**
 * Finds the ends of JSON values in bytes that arrive in arbitrary chunks. Each top-level value is a document, and so is each
 * element of a top-level array. A document is a row, or contains a list of rows, which is never buffered as a whole. The content
 * of a row is not validated until it is parsed.
 */
export class JsonSplitter {
  /** Offset in the last chunk where NDJSON lines begin, if {@link push} stopped for that reason. */
  linesAt: number | null = null;

  private documents = 0;
  private sawArray = false;
  private readonly levels: Level[] = [];
  private gap: Gap = 'value';
  /** The rows of a finished document that were not returned yet. */
  private ready: Iterable<RawRow> | null = null;

  /** Line of the current document. */
  private documentLine = 1;
  private finder = new ListFinder();
  private pending: PendingDocument | null = null;
  private hasList = false;
  /** Index of the step of the path at the object whose keys are in `keys`. */
  private keysStep = 0;
  /** Whether the path continues at the current key. */
  private isOnPath = false;
  /** The JSON of the key whose value is a row. */
  private rowKey: Buffer | null = null;
  private keys: string[] = [];

  /** Kind of the current value, its bytes from earlier chunks, and how it began. */
  private value: 'none' | 'row' | 'key' | 'skipped' = 'none';
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private startLine = 1;
  private isScalar = false;
  private isFirstByte = false;
  private isEnded = false;
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  /** @param rows number of the rows before */
  constructor(
    private readonly limits: RowLimits,
    private readonly reading: DocumentReading,
    public line = 1,
    public rows = 0,
  ) {}

  /** Returns the rows that end in this chunk. @throws InputError if rows can no longer be separated. */
  *push(chunk: Buffer): Generator<RawRow, void, undefined> {
    for (let at = 0; at < chunk.length;) {
      if (this.value === 'none') {
        at = this.skipBlanks(chunk, at);
        if (this.linesAt !== null || at === chunk.length) break;
        at = this.passToken(chunk, at);
      } else {
        const start = at;
        at = this.isScalar ? this.skipScalar(chunk, at) : this.skipNested(chunk, at);
        if (this.value !== 'skipped') this.buffer(chunk.subarray(start, at));
        const row = this.isEnded ? this.finish(chunk, at) : null;
        if (row !== null) yield row;
      }
      if (this.ready !== null) yield* this.release();
    }
    this.bufferPending(chunk);
    yield* this.release();
  }

  /** Returns the row that ends with the input, if there is one. @throws InputError if the input is truncated. */
  *end(): Generator<RawRow, void, undefined> {
    const isScalar = this.value === 'row' && this.isScalar && !this.inString;
    const row = isScalar ? this.finish(Buffer.alloc(0), 0) : null;
    if (row !== null) yield row;
    if (this.value === 'row' || this.pending !== null) {
      const opener = this.pending !== null ? 'a document' : this.inString ? 'a string' : 'a row';
      const line = this.pending?.line ?? this.startLine;
      throw this.cutOff(`inside ${opener} that began on line ${line}`, this.rows + 1);
    }
    const level = this.levels.at(-1);
    if (level !== undefined)
      throw this.cutOff(
        level.kind === 'object' || level.kind === 'values'
          ? 'before the closing } of its document'
          : 'before the closing ] of its array',
        this.rows,
      );
    if (this.reading.path !== null && this.documents === 0) throw this.missing();
  }

  private get isBetweenDocuments(): boolean {
    const level = this.levels.at(-1)?.kind;
    return level === undefined || level === 'documents';
  }

  private release(): Iterable<RawRow> {
    const { ready } = this;
    this.ready = null;
    return ready ?? [];
  }

  /** Returns where the next token begins, or the end of the chunk. */
  private skipBlanks(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === newline) {
        this.line += 1;
        const isFirstLine = this.documents === 1 && this.line === this.documentLine + 1;
        if (
          this.reading.stopsForLines === true &&
          isFirstLine &&
          !this.sawArray &&
          this.levels.length === 0
        ) {
          this.linesAt = at + 1;
          return at;
        }
      } else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return at;
    }
    return chunk.length;
  }

  /** Skips punctuation, or begins a value. Returns where to continue. */
  private passToken(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    const { gap } = this;
    const level = this.levels.at(-1);
    if (level?.kind === 'object' || level?.kind === 'values') return this.passInObject(chunk, at);
    if (byte === closeBracket && level !== undefined && (gap === 'comma' || gap === 'first-element')) {
      this.levels.pop();
      if (level.kind === 'elements') this.hasList ||= gap === 'first-element';
      if (level.kind !== 'documents' && this.isBetweenDocuments) this.documents += 1;
      this.gap = this.levels.length === 0 ? 'value' : 'comma';
      return at + 1;
    }
    if (byte === comma && gap === 'comma') {
      this.gap = 'element';
      return at + 1;
    }
    if (gap === 'comma') return this.refuse('a comma or ] after an element of the array', chunk, at);
    if (byte === comma || byte === closeBracket || byte === closeBrace || byte === colon)
      return this.refuse(level === undefined ? 'a row' : 'an element of the array', chunk, at);
    if (level?.kind === 'elements') return this.follow(level.step, byte, at);
    if (level?.kind !== 'rows') return this.beginDocument(chunk, at);
    // A list of numbers or strings is the value of a field, not a list of rows.
    if (this.pending !== null && byte !== openBrace && byte !== openBracket) return this.becomeRow(chunk, at);
    return this.begin(this.pending === null ? 'row' : 'skipped', byte, at);
  }

  private beginDocument(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    const { path, opensEnvelopes } = this.reading;
    const isTop = this.levels.length === 0;
    if (isTop) this.documentLine = this.line;
    if (isTop && byte === openBracket) {
      this.levels.push({ kind: 'documents', step: 0 });
      this.sawArray = true;
      this.gap = 'first-element';
      return at + 1;
    }
    if (byte !== openBrace && path !== null && !(byte === openBracket && path[0]?.kind === 'elements')) {
      if (this.documents === 0) throw this.missing();
      throw this.unexpected(byte, 'another document');
    }
    this.hasList = false;
    if (path !== null) return this.follow(0, byte, at);
    if (byte !== openBrace || !(opensEnvelopes && isTop)) return this.begin('row', byte, at);
    this.finder = new ListFinder();
    if (opensEnvelopes === true)
      this.pending = { parts: [], bytes: 0, from: at, line: this.line, splitter: null };
    return this.openObject(at);
  }

  private openObject(at: number, kind: 'object' | 'values' = 'object', step = 0): number {
    this.keys = [];
    this.keysStep = step;
    this.levels.push({ kind, step });
    this.gap = 'first-key';
    return at + 1;
  }

  /** Follows the path from a step at the beginning of a value. */
  private follow(step: number, byte: number, at: number): number {
    const path = this.reading.path ?? [];
    const next = path[step];
    if (next === undefined) return this.begin('row', byte, at);
    if (byte === lowerN) {
      // Null is an empty list or object, as some encoders write it.
      this.hasList = true;
      return this.begin('skipped', byte, at);
    }
    if (byte !== (next.kind === 'elements' ? openBracket : openBrace)) throw this.wrongKind(step, byte);
    if (next.kind === 'name') return this.openObject(at, 'object', step);
    const isLast = step === path.length - 1;
    if (isLast && this.hasList && !path.slice(0, -1).some(({ kind }) => kind !== 'name')) throw this.twice();
    this.hasList ||= isLast;
    if (next.kind === 'values') return this.openObject(at, 'values', step + 1);
    this.levels.push({ kind: isLast ? 'rows' : 'elements', step: step + 1 });
    this.gap = 'first-element';
    return at + 1;
  }

  private passInObject(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    switch (this.gap) {
      case 'comma':
        if (byte === closeBrace) return this.closeObject(chunk, at + 1);
        if (byte !== comma) return this.refuse('a comma or }', chunk, at);
        this.gap = 'key';
        return at + 1;
      case 'colon':
        if (byte !== colon) return this.refuse('a colon', chunk, at);
        this.gap = 'field';
        return at + 1;
      case 'field':
        return byte === comma || byte === colon || byte === closeBrace || byte === closeBracket
          ? this.refuse('a value', chunk, at)
          : this.beginField(chunk, at);
      default:
        if (byte === closeBrace && this.gap === 'first-key') return this.closeObject(chunk, at + 1);
        return byte === quote
          ? this.begin('key', byte, at)
          : this.refuse('a key in double quotes', chunk, at);
    }
  }

  /** Begins the value of a key: the list of rows, an object that contains it, or a value that is skipped. */
  private beginField(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    const level = this.levels.at(-1);
    if (this.reading.path !== null && level !== undefined) {
      if (level.kind === 'values') return this.follow(level.step, byte, at);
      return this.isOnPath ? this.follow(level.step + 1, byte, at) : this.begin('skipped', byte, at);
    }
    switch (this.finder.readValue(byte)) {
      case 'skip':
        return this.begin('skipped', byte, at);
      case 'foreign':
        // Only a pending document has a value that is not what the finder expects.
        return this.becomeRow(chunk, at);
      case 'enter':
        return this.openObject(at);
      case 'list':
        if (this.hasList) throw this.twice();
        this.hasList = true;
        this.levels.push({ kind: 'rows', step: 0 });
        this.gap = 'first-element';
        return at + 1;
    }
  }

  private closeObject(chunk: Buffer, end: number): number {
    const closed = this.levels.pop();
    if (closed?.kind === 'values') this.hasList ||= this.gap === 'first-key';
    const isRepeated = this.levels.some(({ kind }) => kind === 'elements' || kind === 'values');
    if (this.reading.path !== null && !this.hasList && !isRepeated) throw this.missing();
    if (!this.isBetweenDocuments) {
      if (this.reading.path === null) this.finder.leave();
      this.gap = 'comma';
      return end;
    }
    const { pending } = this;
    if (pending !== null && !this.hasList) {
      this.becomeRow(chunk, end);
      const row = this.finish(chunk, end);
      this.ready = row === null ? null : [row];
      return end;
    }
    if (pending !== null) this.ready = this.splitPending(pending, chunk.subarray(pending.from, end));
    this.pending = null;
    this.endDocument();
    return end;
  }

  private endDocument(): void {
    if (this.isBetweenDocuments) this.documents += 1;
    this.gap = this.levels.length === 0 ? 'value' : 'comma';
  }

  /** Treats the pending document as a row, whose content follows. */
  private becomeRow(chunk: Buffer, at: number): number {
    const { pending } = this;
    if (pending === null) return at;
    if (pending.splitter !== null) {
      // It reports the same fault.
      this.ready = this.splitPending(pending, chunk.subarray(pending.from));
      return chunk.length;
    }
    this.value = 'row';
    this.isScalar = false;
    this.depth = this.levels.length;
    this.levels.length = 0;
    this.startLine = pending.line;
    this.buffered = pending.parts;
    this.bufferedBytes = pending.bytes;
    this.pending = null;
    this.buffer(chunk.subarray(pending.from, at));
    return at;
  }

  /** Buffers the bytes of a pending document. A document that is too large for a row can only be an envelope. */
  private bufferPending(chunk: Buffer): void {
    const { pending } = this;
    if (pending === null) return;
    const part = chunk.subarray(pending.from);
    pending.from = 0;
    pending.bytes += part.length;
    if (pending.bytes <= this.limits.maxRowBytes) {
      pending.parts.push(part);
      return;
    }
    if (!this.hasList) {
      this.startLine = pending.line;
      throw this.tooLarge();
    }
    this.ready = this.splitPending(pending, part);
  }

  /** Returns the rows of an envelope in the buffered bytes and in this part. */
  private *splitPending(pending: PendingDocument, part: Buffer): Generator<RawRow, void, undefined> {
    const { parts } = pending;
    pending.parts = [];
    pending.splitter ??= new JsonSplitter(
      this.limits,
      { path: null, opensEnvelopes: 'known' },
      pending.line,
      this.rows,
    );
    for (const each of [...parts, part]) {
      for (const row of pending.splitter.push(each)) {
        this.rows = row.number;
        yield row;
      }
    }
  }

  private begin(value: 'row' | 'key' | 'skipped', byte: number, at: number): number {
    this.value = value;
    this.startLine = this.line;
    this.isScalar = byte !== openBrace && byte !== openBracket;
    this.isFirstByte = true;
    this.depth = 0;
    return at;
  }

  /** Skips the content of a list or an object. Returns its end or the end of the chunk, and sets `isEnded`. */
  private skipNested(chunk: Buffer, from: number): number {
    const { length } = chunk;
    const maxDepth = this.value === 'row' ? this.limits.maxRowDepth : Infinity;
    let { depth } = this;
    let at = from;
    this.isEnded = false;
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
        if (depth > maxDepth) throw this.tooDeep();
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 0) {
          this.isEnded = true;
          return at;
        }
      } else if (byte === newline) this.line += 1;
    }
    this.depth = depth;
    return at;
  }

  /** Skips a number, a word or a string in the same way. */
  private skipScalar(chunk: Buffer, from: number): number {
    let at = from;
    const isBeginning = this.isFirstByte;
    this.isFirstByte = false;
    if (isBeginning && chunk[at] === quote) {
      this.inString = true;
      at += 1;
    }
    if (this.inString) {
      at = this.skipString(chunk, at);
      this.isEnded = !this.inString;
      return at;
    }
    while (at < chunk.length && !endsScalar(chunk[at] ?? 0)) at += 1;
    this.isEnded = at < chunk.length;
    return at;
  }

  /** Skips the content of a string and its closing quote. */
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

  private buffer(part: Buffer): void {
    this.bufferedBytes += part.length;
    if (this.bufferedBytes > this.limits.maxRowBytes) throw this.tooLarge();
    this.buffered.push(part);
  }

  /** Ends the current value. Returns it if it is a row. */
  private finish(chunk: Buffer, at: number): RawRow | null {
    const { value, buffered } = this;
    const bytes = buffered.length === 1 ? (buffered[0] as Buffer) : Buffer.concat(buffered);
    this.buffered = [];
    this.bufferedBytes = 0;
    this.value = 'none';
    if (value === 'key') this.readKey(bytes, chunk, at);
    else if (value === 'skipped') this.gap = 'comma';
    else {
      this.rows += 1;
      const onOneLine = this.line === this.startLine;
      const { rowKey } = this;
      this.rowKey = null;
      this.endDocument();
      const whole = rowKey === null ? bytes : withKey(bytes, rowKey);
      return { bytes: whole, number: this.rows, line: this.startLine, onOneLine };
    }
    return null;
  }

  private readKey(bytes: Buffer, chunk: Buffer, at: number): void {
    let key = '';
    try {
      key = JSON.parse(bytes.toString()) as string;
    } catch {
      // An invalid key leads to no list.
    }
    this.gap = 'colon';
    const { path } = this.reading;
    const level = this.levels.at(-1);
    if (this.keys.length < maxReported && level?.step === this.keysStep) this.keys.push(key);
    if (path !== null) {
      const step = path[level?.step ?? 0];
      this.isOnPath = level?.kind === 'object' && step?.kind === 'name' && step.name === key;
      if (level?.kind === 'values' && step === undefined) this.rowKey = bytes;
      return;
    }
    if (this.finder.readKey(key)) return;
    if (this.pending !== null) this.becomeRow(chunk, at);
    else {
      const message = `the document is larger than a row and has ${JSON.stringify(key)} next to its list`;
      throw this.fault('too-large', message, this.rows + 1, 'name the list: --rows items');
    }
  }

  private refuse(expected: string, chunk: Buffer, at: number): number {
    if (this.pending !== null) return this.becomeRow(chunk, at);
    throw this.unexpected(chunk[at] ?? 0, expected);
  }

  private unexpected(byte: number, expected: string): InputError {
    const found = JSON.stringify(String.fromCharCode(byte));
    return this.fault('between-values', `expected ${expected}, found ${found}`, this.rows + 1);
  }

  private twice(): InputError {
    return this.fault('no-rows', `the document has ${JSON.stringify(this.keys.at(-1))} twice`, this.rows + 1);
  }

  private missing(): InputError {
    const path = this.reading.path ?? [];
    const parent = pathText(path, this.keysStep);
    const names = this.keys.map((name) => JSON.stringify(name)).join(', ');
    const hint =
      names === ''
        ? 'without --rows a list of rows, or rows one after another, are read as they are'
        : `${parent === '' ? 'the document' : parent} has ${names}`;
    return this.fault('no-rows', `there is no list of rows at ${pathText(path)}`, this.rows + 1, hint);
  }

  private wrongKind(step: number, byte: number): InputError {
    const path = this.reading.path ?? [];
    const kind = kindsByCharacter[String.fromCharCode(byte)] ?? 'a value of another kind';
    const list = step === path.length - 1 ? 'a list of rows' : 'a list';
    const expected = path[step]?.kind === 'elements' ? list : 'an object';
    const subject = step === 0 ? 'the document' : pathText(path, step);
    return this.fault('no-rows', `${subject} is ${kind}, and not ${expected}`, this.rows + 1);
  }

  private tooLarge(): InputError {
    const message = `the row that begins on line ${this.startLine} has more than ${this.limits.maxRowBytes} bytes`;
    const hint =
      this.levels.length === 0 || this.pending !== null
        ? 'if the rows are the elements of a list in it, name the list: --rows items'
        : null;
    return this.fault('too-large', message, this.rows + 1, hint);
  }

  private tooDeep(): InputError {
    const message = `the row that begins on line ${this.startLine} is nested more than ${this.limits.maxRowDepth} deep`;
    return this.fault('too-deep', message, this.rows + 1);
  }

  private cutOff(where: string, row: number): InputError {
    return this.fault('cut-off', `the input ends ${where}`, row);
  }

  private fault(code: InputErrorCode, message: string, row: number, hint: string | null = null): InputError {
    return new InputError(code, message, { row: Math.max(1, row), line: this.line, column: null }, { hint });
  }
}

/** Kinds of JSON values by their first character. */
const kindsByCharacter: Readonly<Record<string, string>> = {
  '{': 'an object',
  '[': 'a list',
  '"': 'a string',
};

/** Returns the JSON of an object with its key as `@key`. */
function withKey(bytes: Buffer, key: Buffer): Buffer {
  if (bytes[0] !== openBrace) return bytes;
  const isEmpty = /^\{\s*\}/.test(bytes.toString('latin1', 0, 100));
  return Buffer.concat([Buffer.from('{"@key":'), key, Buffer.from(isEmpty ? '' : ','), bytes.subarray(1)]);
}

const punctuation: ReadonlySet<number> = new Set([...Buffer.from('",:[]{}')]);

/** Whether a byte cannot belong to a number or a word such as `true`. */
function endsScalar(byte: number): boolean {
  return byte <= 0x20 || punctuation.has(byte);
}
