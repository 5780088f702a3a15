/** One row as read from the input: the bytes of one JSON value, without the surrounding white space. */
export interface RawRow {
  readonly bytes: Buffer;
  /** Counted from 1 in its file. */
  readonly number: number;
  /** The line of its first byte, from 1. */
  readonly line: number;
  /** True if the value is known to be on one line, so that it can be written to NDJSON unchanged. */
  readonly onOneLine: boolean;
  /** The same as a string, if it has been decoded already. */
  readonly text?: string;
  /** Whether the JSON is known to contain no integer that a number cannot represent. */
  readonly isPlain?: boolean;
}

/** A row that needs only its string, unless it is written or invalid. It is on one line. */
export class TextRow implements RawRow {
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

/** Why input cannot be read as rows. */
export type InputErrorCode =
  | 'not-json'
  | 'not-csv'
  | 'no-rows'
  | 'not-an-object'
  | 'cut-off'
  | 'between-values'
  | 'too-large'
  | 'too-deep'
  | 'wrong-encoding'
  | 'compressed';

/** Where in its file an error is. Lines, columns and rows count from 1; the column is in code points. */
export interface InputPlace {
  readonly row: number;
  readonly line: number;
  readonly column: number | null;
}

/** Thrown for input that is not rows. `frame` shows the place, or is empty if there is nothing to show. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly code: InputErrorCode;
  readonly place: InputPlace;
  readonly frame: string;
  readonly hint: string | null;

  constructor(
    code: InputErrorCode,
    message: string,
    place: InputPlace,
    { frame = '', hint = null }: { readonly frame?: string; readonly hint?: string | null } = {},
  ) {
    super(message);
    this.code = code;
    this.place = place;
    this.frame = frame;
    this.hint = hint;
  }
}

/** What a splitter returns: rows, and errors that do not affect the next row. */
export type RawItem = RawRow | InputError;

/** Bounds on what one row may cost, whatever the size of the input. */
export interface RowLimits {
  /** Largest row in bytes. A row is held in memory: stops a file without line ends or brackets from filling it. */
  readonly maxRowBytes: number;
  /** Deepest nesting of a row. Stops `[[[[...` from taking fifty times its size in memory, and stack exhaustion. */
  readonly maxRowDepth: number;
}

/** 16 MiB hold the largest real objects many times over; real objects are less than 20 deep. */
export const defaultRowLimits: RowLimits = Object.freeze({ maxRowBytes: 16 * 1024 * 1024, maxRowDepth: 500 });
