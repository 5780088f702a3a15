/** One row as read from the input: the bytes of one JSON value, without the surrounding white space. */
export interface RawRow {
  readonly bytes: Buffer;
  /** Number of the row in its file, from 1. */
  readonly number: number;
  /** Line of its first byte, from 1. */
  readonly line: number;
  /** Whether the value is known to be on one line, so that it can be written to NDJSON unchanged. */
  readonly onOneLine: boolean;
  /** The row as a string, if it is already decoded. */
  readonly text?: string;
  /** Whether the JSON is known to contain no integer that a number cannot represent. */
  readonly isPlain?: boolean;
}

/** A row on one line that is available as a string. Its bytes are computed only if it is written or invalid. */
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

/** Why an input cannot be read as rows. */
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

/** The position of an error in its file. Lines, columns and rows are numbered from 1; the column counts code points. */
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

/** Limits per row, independent of the input size. */
export interface RowLimits {
  /** Maximum size of a row, in bytes. Rows are held in memory: prevents a file without line ends or brackets from filling it. */
  readonly maxRowBytes: number;
  /** Maximum nesting of a row. Prevents `[[[[...` from taking fifty times its size in memory, and stack exhaustion. */
  readonly maxRowDepth: number;
}

/** Real objects are much smaller than 16 MiB and less than 20 levels deep. */
export const defaultRowLimits: RowLimits = Object.freeze({ maxRowBytes: 16 * 1024 * 1024, maxRowDepth: 500 });
