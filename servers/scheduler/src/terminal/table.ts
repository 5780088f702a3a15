import { cut, pad, widthOf, type CutPlace } from './cut.js';
import { harmless } from './harmless.js';
import { paintStatus, type Palette } from './palette.js';

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  /** Where a cell that is too wide is cut; the end when left out. */
  readonly cut?: CutPlace;
  /** The cell is a status, which has a colour. */
  readonly isStatus?: true;
  /** Left out where there is no room for it; the last such column goes first. */
  readonly isOptional?: true;
}

/** How a table is laid out. */
export interface TableLayout {
  /** Columns of the terminal; null where nothing is cut, as in a pipe. */
  readonly width: number | null;
  readonly palette: Palette;
}

const gap = 2;
/** The narrowest that a column gets before others are left out. */
const least = 6;

/** Lines of a table, its titles first. Every line fits the width; what is cut shows an ellipsis. Texts are made harmless. */
export function tableLines<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  layout: TableLayout,
): string[] {
  const shown = shownColumns(columns, layout.width);
  const cells = rows.map((row) => shown.map(({ cell }) => harmless(cell(row))));
  const wanted = shown.map(({ title }, at) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf((row[at] ?? '').slice(0, 4_096))), title.length),
  );
  const widths = fitWidths(wanted, layout.width);
  const { palette } = layout;
  const title = line(shown.map((column, at) => pad(cut(column.title, widths[at] ?? 0), widths[at] ?? 0)));
  return [
    palette.strong(title),
    ...cells.map((row) =>
      line(row.map((text, at) => showCell(text, shown[at], widths[at] ?? 0, layout, at === row.length - 1))),
    ),
  ];
}

function showCell<T>(
  text: string,
  column: Column<T> | undefined,
  width: number,
  layout: TableLayout,
  isLast: boolean,
): string {
  const short = layout.width === null ? text : cut(text, width, column?.cut);
  const blanks = isLast ? '' : pad('', width - widthOf(short));
  return (column?.isStatus === true ? paintStatus(short, layout.palette) : short) + blanks;
}

function line(cells: readonly string[]): string {
  return cells.join(' '.repeat(gap)).trimEnd();
}

/** Those for which there is room at their narrowest. */
function shownColumns<T>(columns: readonly Column<T>[], width: number | null): readonly Column<T>[] {
  const shown = [...columns];
  while (width !== null && shown.length * (least + gap) - gap > width) {
    const last = shown.findLastIndex(({ isOptional }) => isOptional === true);
    if (last === -1) break;
    shown.splice(last, 1);
  }
  return shown;
}

/**
 * Widths that fit: the widest columns give up first, down to one width for all that are wider. Where even the narrowest
 * do not fit, all are as narrow as that takes.
 */
export function fitWidths(wanted: readonly number[], width: number | null): readonly number[] {
  if (width === null) return wanted;
  const room = Math.max(wanted.length, width - gap * (wanted.length - 1));
  const total = (most: number): number => wanted.reduce((sum, one) => sum + Math.min(one, most), 0);
  let most = Math.max(1, ...wanted);
  while (most > 1 && total(most) > room) most -= 1;
  const widths = wanted.map((one) => Math.min(one, most));
  // What the last step has taken too much goes to the first column that can use it.
  let left = room - total(most);
  return widths.map((one, at) => {
    const more = Math.min(left, (wanted[at] ?? 0) - one, 1);
    left -= Math.max(0, more);
    return one + Math.max(0, more);
  });
}

/** Names and values below each other; a value that is empty is left out. Values of several lines are indented. */
export function fieldLines(
  fields: readonly (readonly [name: string, value: string])[],
  { width, palette }: TableLayout,
): string[] {
  const given = fields.filter(([, value]) => value !== '');
  const widest = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value]) => {
    const text = harmless(value);
    const shown = width === null ? text : cut(text, Math.max(8, width - widest - gap), 'middle');
    return `${palette.strong(pad(name, widest))}${' '.repeat(gap)}${paintStatus(shown, palette)}`;
  });
}
