import type { Cell, Column } from '../protocol.js';
import { maxColumns } from './limits.js';

/** Longest text of a cell. */
const maxCellLength = 160;
/** Rows that the widths of columns are taken from. */
const measuredRows = 200;
const narrowest = 5;
const widest = 36;

/** What the list shows of a value. */
export function cellOf(row: object, column: string): Cell {
  if (!Object.hasOwn(row, column)) return { kind: 'absent', text: '' };
  const value = (row as Readonly<Record<string, unknown>>)[column];
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: cut(value) };
    case 'number':
    case 'bigint':
      return { kind: 'number', text: String(value) };
    case 'boolean':
      return { kind: 'bool', text: String(value) };
    default:
      if (value === null || value === undefined) return { kind: 'null', text: 'null' };
      return { kind: 'nested', text: cut(jsonOf(value)) };
  }
}

/** A value as JSON, big integers in digits. */
export function jsonOf(value: unknown, indent?: number): string {
  const digits = new Map<string, string>();
  const mark = '\u0001';
  const json = JSON.stringify(
    value,
    (_, each: unknown) => {
      if (typeof each !== 'bigint') return each;
      digits.set(`${mark}${each}`, String(each));
      return `${mark}${each}`;
    },
    indent,
  );
  return digits.size === 0
    ? json
    : json.replace(/"\\u0001(-?\d+)"/g, (whole, each: string) => digits.get(`${mark}${each}`) ?? whole);
}

function cut(text: string): string {
  return text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
}

/** The columns of a list of rows, in the order in which their fields come up, and how many more there are. */
export function columnsOf(
  rows: readonly object[],
  names: readonly string[],
): { readonly columns: readonly Column[]; readonly hidden: number } {
  const sample = rows.slice(0, measuredRows);
  const columns = names.slice(0, maxColumns).map((name): Column => {
    const cells = sample.map((row) => cellOf(row, name));
    const lengths = cells.map(({ text }) => text.length).sort((a, b) => a - b);
    const typicalLength = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
    const filled = cells.filter(({ kind }) => kind !== 'null' && kind !== 'absent');
    return {
      name,
      width: Math.min(widest, Math.max(narrowest, typicalLength, Math.min(name.length, widest))),
      isNumeric: filled.length > 0 && filled.every(({ kind }) => kind === 'number'),
    };
  });
  return { columns, hidden: Math.max(0, names.length - columns.length) };
}
