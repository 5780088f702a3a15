import {
  CsvError,
  CsvReader,
  distinctNames,
  isOfKind,
  kindOfCells,
  type CellKind,
  type CsvRecord,
} from './csv-reader.js';
import { InputError, type RawItem, type RowLimits } from './raw-row.js';

/** Rows whose cells tell what a column holds, and the characters of them that are held for that. */
const sampledRows = 1_000;
const sampledCharacters = 1024 * 1024;

/** Most columns of a table. Stops a line of commas from becoming as many names. */
const maxColumns = 10_000;

/**
 * Cuts CSV or TSV into rows, as JSON. A column whose cells in the first 1,000 rows all are numbers, or all true or false, has those
 * as values, and null for a cell that is empty or not there; any other has texts. Digits stay as they are written.
 */
export class CsvSplitter {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private readonly reader: CsvReader;
  private names: readonly string[] | null = null;
  private kinds: readonly CellKind[] | null = null;
  private sample: CsvRecord[] = [];
  private sampled = 0;
  private rows = 0;
  private line = 1;

  /**
   * @param delimiter null for the one that the first line has most often
   * @param asText reads every cell as text
   */
  constructor(
    private readonly limits: RowLimits,
    delimiter: string | null,
    private readonly asText: boolean,
  ) {
    this.reader = new CsvReader(delimiter);
  }

  /** The rows that end in this chunk. @throws InputError where nothing more can be read. */
  *push(chunk: Buffer): Generator<RawItem, void, undefined> {
    yield* this.pass(this.decode(chunk), false);
    if (this.reader.bufferedLength > this.limits.maxRowBytes) {
      const message = `the row behind line ${this.line} has more than ${this.limits.maxRowBytes} characters`;
      throw this.fault('too-large', message, this.line);
    }
  }

  *end(): Generator<RawItem, void, undefined> {
    yield* this.pass(this.decode(), true);
    yield* this.release();
  }

  private decode(chunk?: Buffer): string {
    try {
      return chunk === undefined ? this.decoder.decode() : this.decoder.decode(chunk, { stream: true });
    } catch {
      const hint = 'convert it to UTF-8 first, for example with iconv -f LATIN1 -t UTF-8';
      throw this.fault('wrong-encoding', `the input is not UTF-8 behind line ${this.line}`, this.line, hint);
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
    if (this.names === null) {
      if (record.cells.length > maxColumns)
        throw this.fault(
          'not-csv',
          `the first line has ${record.cells.length} columns, and ${maxColumns} are the most`,
          1,
        );
      this.names = distinctNames(record.cells);
    } else if (this.kinds !== null) yield this.row(record, this.names, this.kinds);
    else {
      this.sample.push(record);
      this.sampled += record.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (this.asText || this.sample.length >= sampledRows || this.sampled >= sampledCharacters)
        yield* this.release();
    }
  }

  /** What columns hold is known now, or never. */
  private *release(): Generator<RawItem, void, undefined> {
    const { names, sample } = this;
    if (names === null || this.kinds !== null) return;
    const kinds = names.map((_, column): CellKind =>
      this.asText ? 'text' : kindOfCells(sample.map(({ cells }) => cells[column] ?? '')),
    );
    this.kinds = kinds;
    this.sample = [];
    for (const record of sample) yield this.row(record, names, kinds);
  }

  private row({ cells, line }: CsvRecord, names: readonly string[], kinds: readonly CellKind[]): RawItem {
    this.rows += 1;
    if (cells.length > names.length)
      return this.fault(
        'not-csv',
        `the row has ${cells.length} cells, and the first line ${names.length} names`,
        line,
      );
    const parts: string[] = [];
    for (const [column, name] of names.entries()) {
      const cell = cells[column] ?? '';
      const kind = kinds[column] ?? 'text';
      if (!isOfKind(cell, kind)) {
        const words = { integer: 'integers', decimal: 'numbers', truth: 'true and false', text: 'texts' };
        const message = `${JSON.stringify(name)} is ${JSON.stringify(cell.slice(0, 60))}, and has ${words[kind]} in the first ${sampledRows} rows`;
        return this.fault('not-csv', message, line, '--text reads every cell as text');
      }
      parts.push(`${JSON.stringify(name)}:${jsonOf(cell, kind)}`);
    }
    return { bytes: Buffer.from(`{${parts.join(',')}}`), number: this.rows, line, onOneLine: true };
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

function jsonOf(cell: string, kind: CellKind): string {
  if (kind === 'text') return JSON.stringify(cell);
  if (cell === '') return 'null';
  return kind === 'truth' ? cell.toLowerCase() : cell;
}
