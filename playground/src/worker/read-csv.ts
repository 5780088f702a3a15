import { mostFields, mostRows } from './limits.js';
import { ReadError } from './read-problem.js';

/** A table of texts, as RFC 4180 has it: names and the cells below each, row by row. */
export interface CsvTable {
  readonly names: readonly string[];
  readonly records: readonly (readonly string[])[];
  readonly isCut: boolean;
}

const delimiters = [',', ';', '\t', '|'];

/** Reads a table whose first line has the names. @throws ReadError with the line. */
export function readCsv(text: string): CsvTable {
  const records: string[][] = [];
  const reader = createRecordReader(text, delimiterOf(text));
  for (let record = reader(); record !== null; record = reader()) {
    if (record.length === 1 && record[0] === '') continue;
    records.push(record);
    // The names are one more.
    if (records.length > mostRows + 1) break;
  }
  const [header = [], ...rest] = records;
  if (header.length > mostFields)
    throw new ReadError(`the first line has ${header.length} columns, and ${mostFields} are the most`, 1);
  const isCut = rest.length > mostRows;
  return { names: distinct(header), records: isCut ? rest.slice(0, mostRows) : rest, isCut };
}

/** The delimiter that the first line has most often outside of quotes. */
function delimiterOf(text: string): string {
  const end = text.indexOf('\n');
  const line = (end === -1 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '');
  const counts = delimiters.map((each) => line.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A function that reads the next record at each call; null at the end. */
function createRecordReader(text: string, delimiter: string): () => string[] | null {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let atEnd = at >= text.length;
  const plain = new RegExp(`[${delimiter === '|' ? '\\|' : delimiter}\\n]`, 'g');

  const readQuoted = (): string => {
    const begin = line;
    let value = '';
    for (let from = at + 1; ;) {
      const quote = text.indexOf('"', from);
      if (quote === -1) throw new ReadError('the quote that is opened here is never closed', begin);
      value += text.slice(from, quote);
      if (text[quote + 1] !== '"') {
        line += value.split('\n').length - 1;
        at = quote + 1;
        return value;
      }
      value += '"';
      from = quote + 2;
    }
  };

  const readPlain = (): string => {
    plain.lastIndex = at;
    const end = plain.exec(text)?.index ?? text.length;
    const value = text.slice(at, end);
    at = end;
    return value.endsWith('\r') ? value.slice(0, -1) : value;
  };

  return () => {
    if (atEnd) return null;
    const record: string[] = [];
    for (;;) {
      record.push(text[at] === '"' ? readQuoted() : readPlain());
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
      const sign = text[at];
      at += 1;
      if (sign === delimiter) continue;
      if (sign !== undefined && sign !== '\n')
        throw new ReadError(
          'there is text behind a closing quote',
          line,
          'write a quote inside of quotes twice',
        );
      line += 1;
      atEnd = at >= text.length;
      return record;
    }
  };
}

/** Names that differ: an empty one gets the number of its column, and a repeated one a number behind it. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const wish = name.trim() === '' ? `column${index + 1}` : name.trim();
    let unused = wish;
    for (let number = 2; taken.has(unused); number += 1) unused = `${wish}_${number}`;
    taken.add(unused);
    return unused;
  });
}
