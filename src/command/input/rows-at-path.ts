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
import { InputError, type RawRow, type RowLimits } from './raw-row.js';
import { ValueSplitter } from './value-splitter.js';

/** Most names that a message about a missing list tells. */
const maxReported = 10;
/** Longest name of a field that is looked at, in bytes: those of a path are shorter, and what is longer is none of them. */
const maxNameLength = 1_024;

/**
 * Finds the list of rows at a path of names in one JSON document, such as `items` of `{"kind": "List", "items": [...]}`. What stands
 * before and behind the list is passed over and not held.
 */
export class RowsAtPath {
  private rows: ValueSplitter | null = null;
  private isDone = false;
  /** How many names of the path lead to the object at hand. */
  private found = 0;
  /** Depth of brackets in the value that is passed over; 0 between the fields of the object at hand. */
  private depth = 0;
  private expects: 'object' | 'name' | 'colon' | 'value' | 'comma' = 'object';
  private inString = false;
  private isEscaped = false;
  private name: number[] = [];
  private isSelected = false;
  private readonly reported: string[] = [];

  constructor(
    private readonly limits: RowLimits,
    private readonly path: readonly string[],
    private line = 1,
  ) {}

  /** The rows that end in this chunk. @throws InputError where there are none. */
  *push(chunk: Buffer): Generator<RawRow, void, undefined> {
    if (this.isDone) return;
    let rest = chunk;
    if (this.rows === null) {
      const at = this.seek(chunk);
      if (this.rows === null) return;
      rest = chunk.subarray(at);
    }
    yield* this.take(rest);
  }

  *end(): Generator<RawRow, void, undefined> {
    if (this.isDone) return;
    if (this.rows === null) throw this.missing();
    yield* (this.rows as ValueSplitter).end();
  }

  private *take(chunk: Buffer): Generator<RawRow, void, undefined> {
    if (this.rows === null) return;
    yield* this.rows.push(chunk);
    this.isDone = this.rows.arrayEnded;
  }

  /** Looks for the list. Returns where it begins, or the end of the chunk. */
  private seek(chunk: Buffer): number {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === newline) this.line += 1;
      if (this.inString) this.passString(byte);
      else if (byte === quote) this.beginString();
      else if (this.depth > 0) this.passNested(byte);
      else if (this.passToken(byte)) {
        this.rows = new ValueSplitter(this.limits, false, { line: this.line });
        return at;
      }
    }
    return chunk.length;
  }

  private beginString(): void {
    if (this.expects === 'object') throw this.missing();
    this.inString = true;
    this.name = [];
  }

  private passString(byte: number): void {
    const isName = this.expects === 'name' && this.depth === 0;
    if (!this.isEscaped && byte === quote) {
      this.inString = false;
      if (isName) this.readName();
      else if (this.depth === 0) this.passValue('text');
      return;
    }
    this.isEscaped = !this.isEscaped && byte === backslash;
    if (isName && this.name.length <= maxNameLength) this.name.push(byte);
  }

  private readName(): void {
    let name = '';
    try {
      name = JSON.parse(`"${Buffer.from(this.name).toString()}"`) as string;
    } catch {
      // What is no name is in no path.
    }
    if (this.reported.length < maxReported) this.reported.push(name);
    this.isSelected = name === this.path[this.found];
    this.expects = 'colon';
  }

  /** A value that is no object and no list ends, or is told to be what it is. */
  private passValue(kind: string): void {
    if (this.isSelected) throw this.wrongKind(kind);
    this.expects = 'comma';
  }

  private passNested(byte: number): void {
    if (byte === openBrace || byte === openBracket) this.depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      this.depth -= 1;
      if (this.depth === 0) this.expects = 'comma';
    }
  }

  /** A byte between names and values; true at the beginning of the list. */
  private passToken(byte: number): boolean {
    if (byte <= 0x20) return false;
    switch (byte) {
      case openBrace:
        if (this.expects === 'object') this.expects = 'name';
        else if (this.isSelected) this.descend();
        else this.depth = 1;
        return false;
      case openBracket:
        if (this.expects === 'object') throw this.missing();
        if (!this.isSelected) this.depth = 1;
        else if (this.found < this.path.length - 1) throw this.wrongKind('a list');
        else return true;
        return false;
      case colon:
        this.expects = 'value';
        return false;
      case comma:
        this.expects = 'name';
        this.isSelected = false;
        return false;
      case closeBrace:
        throw this.missing();
      default:
        if (this.expects === 'object') throw this.missing();
        this.passValue('a value of another kind');
        return false;
    }
  }

  private descend(): void {
    if (this.found === this.path.length - 1) throw this.wrongKind('an object');
    this.found += 1;
    this.reported.length = 0;
    this.isSelected = false;
    this.expects = 'name';
  }

  private get where(): string {
    return this.path.join('.');
  }

  private wrongKind(kind: string): InputError {
    const at = this.path.slice(0, this.found + 1).join('.');
    const expected = this.found === this.path.length - 1 ? 'a list of rows' : 'an object';
    return this.fault(`${at} is ${kind}, and not ${expected}`, null);
  }

  private missing(): InputError {
    const parent = this.path.slice(0, this.found).join('.');
    const names = this.reported.map((name) => JSON.stringify(name)).join(', ');
    const hint =
      names === ''
        ? 'without --rows a list of rows, or rows one after another, are read as they are'
        : `${parent === '' ? 'the document' : parent} has ${names}`;
    return this.fault(`there is no list of rows at ${this.where}`, hint);
  }

  private fault(message: string, hint: string | null): InputError {
    return new InputError('no-rows', message, { row: 1, line: this.line, column: null }, { hint });
  }
}
