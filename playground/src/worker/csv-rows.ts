import { kindOfCells } from '../../../src/command/input/csv-reader.js';
import { readCsv } from './read-csv.js';

type CellReader = (cell: string) => unknown;

/**
 * The rows of a CSV text. A column whose cells all are numbers, or all true or false, has those as values, and null for a
 * cell that is empty or not there; any other has text. Integers that a number cannot hold are bigints.
 */
export function readCsvRows(text: string): { readonly rows: object[]; readonly isCut: boolean } {
  const { names, records, isCut } = readCsv(text);
  const readers = names.map((_, column) => readerFor(records, column));
  const rows = records.map((record) =>
    Object.fromEntries(names.map((name, column) => [name, readers[column]?.(record[column] ?? '')])),
  );
  return { rows, isCut };
}

function readerFor(records: readonly (readonly string[])[], column: number): CellReader {
  const kind = kindOfCells(records.map((record) => record[column] ?? ''));
  if (kind === 'integer') return orNull(readInteger);
  if (kind === 'decimal') return orNull(Number);
  return kind === 'truth' ? orNull((cell) => cell.toLowerCase() === 'true') : (cell) => cell;
}

function orNull(read: CellReader): CellReader {
  return (cell) => (cell === '' ? null : read(cell));
}

function readInteger(cell: string): number | bigint {
  const number = Number(cell);
  return Number.isSafeInteger(number) ? number : BigInt(cell);
}
