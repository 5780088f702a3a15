import { cut, pad, widthOf, wrap, type CutPlace } from './cut.js';
import { sanitizeForTerminal } from './escape-terminal.js';
import { paintStatus, type Palette } from './palette.js';

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  /** Position of the cut in a cell that is too wide; default: the end. */
  readonly cut?: CutPlace;
  /** Whether commands need the full value, such as the ID of a job: if too wide, it gets separate lines. */
  readonly isWhole?: true;
  /** Whether the cell is a coloured status. */
  readonly isStatus?: true;
  /** Whether to drop it if others would be cut; the first such column is dropped first. */
  readonly isOptional?: true;
}

/** The layout of a table. */
export interface TableLayout {
  /** Width of the terminal in columns; null if nothing is cut, as in a pipe. */
  readonly width: number | null;
  readonly palette: Palette;
}

const gap = 2;
/** Width up to which cells are not cut while columns can be dropped. */
const readable = 20;

/** The minimum width of a column next to full-width ones. */
const min = 12;

/**
 * Returns the lines of a table, titles first. Every line fits the width; cut cells show an ellipsis. Cells are escaped for the
 * terminal.
 */
export function tableLines<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  layout: TableLayout,
): string[] {
  const filled = columns.map((column) => fill(column, rows));
  const visible = leaveOut(fitWhole(filled, layout.width), layout.width);
  const widths = widthsOf(visible, layout.width);
  const titles = visible.map(({ column }, at) => pad(cut(column.title, widths[at] ?? 0), widths[at] ?? 0));
  return [
    layout.palette.strong(line(titles)),
    ...rows.flatMap((_, row) => rowLines(visible, row, widths, layout)),
  ];
}

/** Gives full-value columns the width of their cells, unless nothing remains for the others. */
function fitWhole<T>(columns: readonly FilledColumn<T>[], width: number | null): readonly FilledColumn<T>[] {
  if (width === null) return columns;
  const others = columns.filter(({ column }) => column.isWhole !== true && column.isOptional !== true);
  const available =
    width - others.reduce((sum, { desiredWidth }) => sum + Math.min(desiredWidth, min) + gap, 0);
  return columns.map((filled) => {
    if (filled.column.isWhole !== true) return filled;
    const fitting = filled.cells.map(widthOf).filter((one) => one <= available);
    return { ...filled, desiredWidth: Math.min(Math.max(filled.column.title.length, ...fitting), width) };
  });
}

/** Full columns get their width, and the others share the rest. */
function widthsOf<T>(visible: readonly FilledColumn<T>[], width: number | null): readonly number[] {
  const isWhole = ({ column }: FilledColumn<T>): boolean => column.isWhole === true;
  const others = visible.filter((one) => !isWhole(one));
  const taken = visible.filter(isWhole).reduce((sum, { desiredWidth }) => sum + desiredWidth + gap, 0);
  const shared = [
    ...fitWidths(
      others.map(({ desiredWidth }) => desiredWidth),
      width === null ? null : width - taken,
    ),
  ];
  return visible.map((one) => (isWhole(one) ? one.desiredWidth : (shared.shift() ?? 0)));
}

/** Returns the line of a row, with separate lines for full values that are too wide. */
function rowLines<T>(
  visible: readonly FilledColumn<T>[],
  row: number,
  widths: readonly number[],
  layout: TableLayout,
): string[] {
  const before: string[] = [];
  const cells = visible.map((one, at) => {
    const width = widths[at] ?? 0;
    const text = one.cells[row] ?? '';
    if (layout.width === null || one.column.isWhole !== true || widthOf(text) <= width)
      return renderCell(one, row, width, layout, at === visible.length - 1);
    before.push(...wrap(text, layout.width));
    return pad('', width);
  });
  return [...before, line(cells)];
}

/** A column with its cells, and the width at which none is cut. */
interface FilledColumn<T> {
  readonly column: Column<T>;
  readonly cells: readonly string[];
  readonly desiredWidth: number;
}

function fill<T>(column: Column<T>, rows: readonly T[]): FilledColumn<T> {
  const cells = rows.map((row) => sanitizeForTerminal(column.cell(row)));
  const desiredWidth = cells.reduce((widest, cell) => Math.max(widest, widthOf(cell)), column.title.length);
  return { column, cells, desiredWidth };
}

function renderCell<T>(
  { column, cells }: FilledColumn<T>,
  row: number,
  width: number,
  layout: TableLayout,
  isLast: boolean,
): string {
  const text = cells[row] ?? '';
  const short = layout.width === null ? text : cut(text, width, column.cut);
  const blanks = isLast ? '' : pad('', width - widthOf(short));
  return (column.isStatus === true ? paintStatus(short, layout.palette) : short) + blanks;
}

function line(cells: readonly string[]): string {
  return cells.join(' '.repeat(gap)).trimEnd();
}

/** Returns the columns that fit without cutting others to an unreadable width. */
function leaveOut<T>(columns: readonly FilledColumn<T>[], width: number | null): readonly FilledColumn<T>[] {
  const visible = [...columns];
  const needed = (): number =>
    visible.reduce(
      (sum, { column, desiredWidth }) =>
        sum + (column.isWhole === true ? desiredWidth : Math.min(desiredWidth, readable)) + gap,
      -gap,
    );
  while (width !== null && needed() > width) {
    const first = visible.findIndex(({ column }) => column.isOptional === true);
    if (first === -1) break;
    visible.splice(first, 1);
  }
  return visible;
}

/**
 * Returns widths that fit: the widest columns shrink first, to a common width. If even the narrowest do not fit, all shrink as
 * needed.
 */
export function fitWidths(desiredWidth: readonly number[], width: number | null): readonly number[] {
  if (width === null) return desiredWidth;
  const available = Math.max(desiredWidth.length, width - gap * (desiredWidth.length - 1));
  const total = (max: number): number => desiredWidth.reduce((sum, one) => sum + Math.min(one, max), 0);
  let max = Math.max(1, ...desiredWidth);
  while (max > 1 && total(max) > available) max -= 1;
  const widths = desiredWidth.map((one) => Math.min(one, max));
  // The remainder of the last step goes to the first column that can use it.
  let left = available - total(max);
  return widths.map((one, at) => {
    const more = Math.min(left, (desiredWidth[at] ?? 0) - one, 1);
    left -= Math.max(0, more);
    return one + Math.max(0, more);
  });
}

/** A field as shown; `whole` if commands need its full value. */
export type FieldView = readonly [name: string, value: string, cut?: 'whole'];

/** Returns names and values below each other; empty values are omitted. Values of several lines are indented. */
export function fieldLines(fields: readonly FieldView[], { width, palette }: TableLayout): string[] {
  const given = fields.filter(([, value]) => value !== '');
  const widest = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value, place]) => {
    const text = sanitizeForTerminal(value);
    const visible =
      width === null || place === 'whole' ? text : cut(text, Math.max(8, width - widest - gap), 'middle');
    return `${palette.strong(pad(name, widest))}${' '.repeat(gap)}${paintStatus(visible, palette)}`;
  });
}
