import type { Schema, Type } from '../../index.js';
import { parseGoBool } from '../../language/values/go-number.js';
import { storedKindOf } from '../../language/schema/value-kind.js';
import {
  CsvError,
  CsvReader,
  distinctNames,
  isOfKind,
  kindOfCells,
  type CellKind,
  type CsvRecord,
  type CsvSyntax,
} from './csv-reader.js';
import { InputError, TextRow, type RawItem, type RowLimits } from './raw-row.js';

/** Options for reading CSV and TSV. */
export interface CsvOptions extends CsvSyntax {
  /** Whether the first record contains the names. Otherwise they are column1, column2 and so on. */
  readonly hasHeader?: boolean;
  /** Unquoted cells that are null. */
  readonly nulls?: ReadonlySet<string>;
  /** Whether all cells are strings unless the schema declares another type. */
  readonly asText?: boolean;
  /** Declares the types of columns. */
  readonly schema?: Schema | null;
}

/** Number of rows that determine the type of a column, and maximum number of their buffered characters. */
const sampledRows = 1_000;
const sampledCharacters = 1024 * 1024;

/** Minimum number of characters of an integer that a double may not represent exactly. */
const minLongNumber = 16;

/** The type of a column's cells. `declared` kinds come from the schema, `json` for its lists and objects. */
interface Column {
  /** The name in JSON, with its colon. */
  readonly key: string;
  readonly name: string;
  readonly kind: CellKind | 'json';
  readonly declared: Type | null;
}

/**
 * Splits CSV or TSV into rows, as JSON. The schema determines the types of the columns that it declares. Other columns contain
 * numbers or booleans if all unquoted cells in the first 1,000 rows do, and null for empty cells; otherwise strings. Quoted cells
 * are strings. Digits are unchanged.
 */
export class CsvSplitter {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private readonly reader: CsvReader;
  private names: readonly string[] | null = null;
  private columns: readonly Column[] | null = null;
  private sample: CsvRecord[] = [];
  private sampled = 0;
  private rows = 0;
  private line = 1;

  constructor(
    private readonly limits: RowLimits,
    format: 'csv' | 'tsv',
    private readonly options: CsvOptions,
  ) {
    this.reader = new CsvReader({
      ...options,
      delimiter: options.delimiter ?? (format === 'tsv' ? '\t' : null),
    });
  }

  /** Whether rows are buffered because the types of the columns are not known yet. */
  get isSampling(): boolean {
    return this.columns === null && this.sample.length > 0;
  }

  /** Returns the rows that end in this chunk. @throws InputError if nothing more can be read. */
  *push(chunk: Buffer): Generator<RawItem, void, undefined> {
    yield* this.pass(this.decode(chunk), false);
    if (this.reader.bufferedLength > this.limits.maxRowBytes) {
      const message = `the row after line ${this.line} has more than ${this.limits.maxRowBytes} characters`;
      throw this.fault('too-large', message, this.line, 'a quote may be opened and never closed');
    }
  }

  *end(): Generator<RawItem, void, undefined> {
    yield* this.pass(this.decode(), true);
    yield* this.release();
  }

  /** Determines the column types from the buffered rows, and returns these rows. */
  *release(): Generator<RawItem, void, undefined> {
    const { names, sample } = this;
    if (names === null || this.columns !== null) return;
    const columns = names.map((name, index) => this.columnOf(name, index));
    this.columns = columns;
    this.sample = [];
    for (const record of sample) yield this.row(record, columns);
  }

  private decode(chunk?: Buffer): string {
    try {
      return chunk === undefined ? this.decoder.decode() : this.decoder.decode(chunk, { stream: true });
    } catch {
      const hint = 'convert it to UTF-8 first, for example with iconv -f LATIN1 -t UTF-8';
      throw this.fault('wrong-encoding', `the input is not UTF-8 after line ${this.line}`, this.line, hint);
    }
  }

  private *pass(text: string, isLast: boolean): Generator<RawItem, void, undefined> {
    try {
      for (const record of this.reader.push(text)) yield* this.take(record);
      if (isLast) for (const record of this.reader.end()) yield* this.take(record);
    } catch (error) {
      if (error instanceof CsvError) throw this.fault('not-csv', error.message, error.line, error.hint);
      throw error;
    }
  }

  private *take(record: CsvRecord): Generator<RawItem, void, undefined> {
    this.line = record.line;
    if (this.columns !== null) yield this.row(record, this.columns);
    else if (this.names === null) {
      const { cells } = record;
      const hasHeader = this.options.hasHeader !== false;
      this.names = distinctNames(hasHeader ? cells : cells.map(() => ''));
      if (!hasHeader) yield* this.take(record);
    } else {
      this.sample.push(record);
      this.sampled += record.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (
        this.options.asText === true ||
        this.sample.length >= sampledRows ||
        this.sampled >= sampledCharacters
      )
        yield* this.release();
    }
  }

  private columnOf(name: string, index: number): Column {
    const declared = this.options.schema?.root.properties.get(name)?.type ?? null;
    return { key: `${JSON.stringify(name)}:`, name, kind: this.kindOf(declared, index), declared };
  }

  private kindOf(declared: Type | null, index: number): Column['kind'] {
    if (declared !== null && declared.kind !== 'any') return declaredKind(declared);
    if (this.options.asText === true || this.sample.some(({ quoted }) => quoted?.has(index) === true))
      return 'text';
    return kindOfCells(this.sample.map(({ cells }) => this.withoutNull(cells[index] ?? '')));
  }

  private withoutNull(cell: string): string {
    return this.options.nulls?.has(cell) === true ? '' : cell;
  }

  private row(record: CsvRecord, columns: readonly Column[]): RawItem {
    const { cells, quoted, line } = record;
    this.rows += 1;
    const extra = cells.findIndex((cell, at) => at >= columns.length && cell !== '');
    if (extra !== -1)
      return this.fault(
        'not-csv',
        `the row has ${cells.length} cells, and the first line has ${columns.length}`,
        line,
        this.rows > 1
          ? null
          : '--skip-lines N passes lines before the names, --delimiter CHAR names the delimiter',
      );
    let text = '';
    let isPlain = true;
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at] as Column;
      const value = this.valueOf(cells[at] ?? '', quoted?.has(at) === true, column);
      if (value === null) return this.wrongCell(column, cells[at] ?? '', quoted?.has(at) === true, line);
      if (value.length >= minLongNumber && column.kind !== 'text') isPlain = false;
      text += `${at === 0 ? '{' : ','}${column.key}${value}`;
    }
    if (text.length >= this.limits.maxRowBytes)
      return this.fault('too-large', `the row has more than ${this.limits.maxRowBytes} bytes as JSON`, line);
    return new TextRow(`${text}}`, isPlain, this.rows, line);
  }

  /** Returns the JSON of a cell; null if it does not match the column. */
  private valueOf(cell: string, isQuoted: boolean, { kind, declared }: Column): string | null {
    if (!isQuoted && this.options.nulls?.has(cell) === true) return 'null';
    if (kind === 'text')
      return cell === '' && !isQuoted && (declared?.nullDepth ?? 0) > 0 ? 'null' : JSON.stringify(cell);
    if (declared !== null && declared.kind !== 'any') return cell === '' ? 'null' : declaredValue(cell, kind);
    if (isQuoted || !isOfKind(cell, kind as CellKind)) return null;
    return cell === '' ? 'null' : kind === 'truth' ? cell.toLowerCase() : cell;
  }

  private wrongCell(
    { name, kind, declared }: Column,
    cell: string,
    isQuoted: boolean,
    line: number,
  ): InputError {
    const text = `${isQuoted && declared === null ? 'the quoted string ' : ''}${JSON.stringify(cell.slice(0, 60))}`;
    const reason = declared === null ? `as in the first ${sampledRows} rows` : 'as the schema says';
    return this.fault(
      'not-csv',
      `column ${JSON.stringify(name)} must be ${nouns[kind]}, ${reason}, got ${text}`,
      line,
      declared === null ? '--text reads every cell as a string, --schema FILE declares the types' : null,
    );
  }

  private fault(
    code: InputError['code'],
    message: string,
    line: number,
    hint: string | null = null,
  ): InputError {
    return new InputError(code, message, { row: Math.max(1, this.rows), line, column: null }, { hint });
  }
}

const nouns: Readonly<Record<Column['kind'], string>> = {
  integer: 'an integer',
  decimal: 'a number',
  truth: 'true or false',
  text: 'a string',
  json: 'a JSON list or object',
};

function declaredKind(type: Type): Column['kind'] {
  switch (storedKindOf(type)) {
    case 'int':
    case 'uint':
      return 'integer';
    case 'float32':
    case 'float64':
      return 'decimal';
    case 'bool':
      return 'truth';
    case 'string':
    case 'time':
      return 'text';
    default:
      return 'json';
  }
}

const number = /^([+-]?)0*((?:\d+)?)(\.\d*)?([eE][+-]?\d{1,3})?$/;

/**
 * Returns the JSON of a cell with a declared type. Numbers may have a plus sign, leading zeros or no digits on one side of the
 * point.
 */
function declaredValue(cell: string, kind: Column['kind']): string | null {
  if (kind === 'truth') {
    const truth = parseGoBool(cell.toLowerCase());
    return truth === 'syntax' ? null : String(truth);
  }
  if (kind === 'json') return jsonOf(cell);
  const [, sign, whole, fraction = '', exponent = ''] = number.exec(cell) ?? [];
  if (sign === undefined || !/\d/.test(cell) || (kind === 'integer' && fraction + exponent !== ''))
    return null;
  const isInteger = kind === 'integer';
  if (isInteger && (whole ?? '').length > 20) return null;
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '.' ? '' : fraction}${exponent}`;
}

function jsonOf(cell: string): string | null {
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'object' ? cell.replace(/[\r\n]/g, ' ') : null;
  } catch {
    return null;
  }
}
