/** A text that is no CSV. Lines count from 1. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    message: string,
    readonly line: number,
    readonly hint: string | null = null,
  ) {
    super(message);
  }
}

/** One record: its cells, and the line on which it begins. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

const delimiters = [',', ';', '\t', '|'];

/**
 * Cuts a text that arrives in pieces into records, as RFC 4180 has them, blank lines left out. The delimiter is the one that
 * the first line has most often, unless it is told. Feed it with {@link push}, then call {@link end} once.
 */
export class CsvReader {
  private buffered = '';
  private isStarted = false;
  /** What is held is looked at again when it is this long: a record that never ends must not be read once for each piece. */
  private expectedColumns = 0;
  private line = 1;
  private plain = /,/g;

  /** @param delimiter null for the one that the first line has most often */
  constructor(private delimiter: string | null = null) {}

  /** Characters of a record that has not ended. */
  get bufferedLength(): number {
    return this.buffered.length;
  }

  /** The records that end in this piece. @throws CsvError */
  *push(piece: string): Generator<CsvRecord, void, undefined> {
    this.buffered += piece;
    if (this.buffered.length < this.expectedColumns) return;
    yield* this.read(false);
  }

  /** The record that ends with the text. @throws CsvError */
  *end(): Generator<CsvRecord, void, undefined> {
    yield* this.read(true);
  }

  private *read(isLast: boolean): Generator<CsvRecord, void, undefined> {
    const text = this.buffered;
    let at = 0;
    if (!this.isStarted) {
      if (!isLast && !text.includes('\n')) return;
      this.isStarted = true;
      if (text.startsWith('\uFEFF')) at = 1;
      this.delimiter ??= delimiterOf(text.slice(at));
      this.plain = new RegExp(`[${this.delimiter === '|' ? '\\|' : this.delimiter}\\n]`, 'g');
    }
    while (at < text.length) {
      const { line } = this;
      const record = this.readRecord(text, at, isLast);
      if (record === null) {
        this.line = line;
        break;
      }
      at = record.end;
      if (record.cells.length > 1 || record.cells[0] !== '') yield { cells: record.cells, line };
    }
    this.buffered = text.slice(at);
    this.expectedColumns = at === 0 ? 2 * text.length : 0;
  }

  /** The record that begins at `from`; null for one that has not ended. */
  private readRecord(
    text: string,
    from: number,
    isLast: boolean,
  ): { readonly cells: string[]; readonly end: number } | null {
    const cells: string[] = [];
    for (let at = from; ;) {
      const cell = text[at] === '"' ? this.readQuoted(text, at, isLast) : this.readPlain(text, at);
      if (cell === null) return null;
      cells.push(cell.value);
      at = cell.end;
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
      const sign = text[at];
      if (sign === undefined && !isLast) return null;
      // What follows a quote may be in the next piece, the line feed behind a carriage return too.
      if (sign === '\r' && at + 1 === text.length && !isLast) return null;
      at += 1;
      if (sign === this.delimiter) continue;
      if (sign !== undefined && sign !== '\n') {
        const hint = 'write a quote inside of quotes twice';
        throw new CsvError('there is text behind a closing quote', this.line, hint);
      }
      this.line += 1;
      return { cells, end: at };
    }
  }

  private readQuoted(text: string, from: number, isLast: boolean): Cell | null {
    const begin = this.line;
    let value = '';
    for (let at = from + 1; ;) {
      const quote = text.indexOf('"', at);
      if (quote === -1) {
        if (!isLast) return null;
        throw new CsvError('the quote that is opened here is never closed', begin);
      }
      value += text.slice(at, quote);
      if (text[quote + 1] !== '"') {
        this.line += value.split('\n').length - 1;
        return { value, end: quote + 1 };
      }
      value += '"';
      at = quote + 2;
    }
  }

  private readPlain(text: string, from: number): Cell {
    this.plain.lastIndex = from;
    const end = this.plain.exec(text)?.index ?? text.length;
    const value = text.slice(from, end);
    return { value: value.endsWith('\r') ? value.slice(0, -1) : value, end };
  }
}

interface Cell {
  readonly value: string;
  readonly end: number;
}

/** The delimiter that the first line has most often outside of quotes. */
function delimiterOf(text: string): string {
  const end = text.indexOf('\n');
  const line = (end === -1 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '');
  const counts = delimiters.map((each) => line.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Names that differ: an empty one gets the number of its column, and a repeated one a number behind it. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const wish = name.trim() === '' ? `column${index + 1}` : name.trim();
    let unused = wish;
    for (let number = 2; taken.has(unused); number += 1) unused = `${wish}_${number}`;
    taken.add(unused);
    return unused;
  });
}

/** What the cells of a column are. */
export type CellKind = 'integer' | 'decimal' | 'truth' | 'text';

const forms: Readonly<Record<Exclude<CellKind, 'text'>, RegExp>> = {
  integer: /^-?(?:0|[1-9][0-9]{0,18})$/,
  decimal: /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/,
  truth: /^(?:true|false)$/i,
};

/** Whether a cell is of a kind; an empty one is of any. */
export function isOfKind(cell: string, kind: CellKind): boolean {
  return kind === 'text' || cell === '' || forms[kind].test(cell);
}

/** The kind that all of the cells have that are not empty: text where they have no other, or are all empty. */
export function kindOfCells(cells: readonly string[]): CellKind {
  const kinds = ['integer', 'decimal', 'truth'] as const;
  return cells.every((cell) => cell === '')
    ? 'text'
    : (kinds.find((kind) => cells.every((cell) => isOfKind(cell, kind))) ?? 'text');
}
