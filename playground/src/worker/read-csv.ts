import { CsvError, CsvReader, distinctNames } from '../../../src/command/input/csv-reader.js';
import { maxFields, maxRows } from './limits.js';
import { ReadError } from './read-problem.js';

/** A table of texts, as RFC 4180 has it: names and the cells below each, row by row. */
export interface CsvTable {
  readonly names: readonly string[];
  readonly records: readonly (readonly string[])[];
  readonly isCut: boolean;
}

/** Reads a table whose first line has the names. @throws ReadError with the line. */
export function readCsv(text: string): CsvTable {
  const [header = [], ...rest] = readRecords(text);
  if (header.length > maxFields)
    throw new ReadError(`the first line has ${header.length} columns, and ${maxFields} are the most`, 1);
  const isCut = rest.length > maxRows;
  return { names: distinctNames(header), records: isCut ? rest.slice(0, maxRows) : rest, isCut };
}

function readRecords(text: string): (readonly string[])[] {
  const reader = new CsvReader();
  const records: (readonly string[])[] = [];
  try {
    for (const part of [reader.push(text), reader.end()]) {
      for (const { cells } of part) {
        records.push(cells);
        // The names are one more.
        if (records.length > maxRows + 1) return records;
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? new ReadError(error.message, error.line, error.hint) : error;
  }
  return records;
}
