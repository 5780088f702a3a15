import Table from 'cli-table3';
import { escapeControls } from '../language/diagnostics/snippet.js';
import { createPathReader } from './input/json-layout.js';
import { cellText, chooseColumns, valueAt, type CellColumn } from './columns.js';
import type { Output } from './io.js';
import type { Palette } from './palette.js';
import type { RowOutput } from './row-output.js';

/** The layout of a table. */
export interface TableLayout {
  /** Width of the terminal. Columns that do not fit are omitted, from the last one. */
  readonly width: number;
  /** Paths to show near the left. */
  readonly preferred: readonly (readonly string[])[];
  /** The columns, if they have been chosen. */
  readonly columns?: readonly CellColumn[] | null;
  /** The source JSON of each row, if numbers are shown as written. */
  readonly written?: readonly Uint8Array[];
  readonly title: (text: string) => string;
  /** Whether lines are omitted, for many consecutive tables. */
  readonly plain: boolean;
}

/** Maximum width of a cell. */
const widestCell = 40;

/** Renders rows as a table, ending in a newline; omitted rows and columns are noted below it. */
export function renderTable(rows: readonly object[], layout: TableLayout): string {
  const columns = layout.columns ?? chooseColumns(rows, layout.preferred);
  const readPaths = createPathReader(columns.map(({ path }) => path));
  const cells = rows.map((row, number) => {
    const written = layout.written?.[number];
    const values = written === undefined ? [] : readPaths(written);
    return columns.map(({ path }, at) => cellText(valueAt(row, path), widestCell, values[at]));
  });
  const count = fittingColumns(columns, cells, layout);
  const table = new Table({
    head: columns.slice(0, count).map(({ title }) => layout.title(escapeControls(title))),
    style: {
      head: [],
      border: [],
      compact: true,
      ...(layout.plain ? { 'padding-left': 0, 'padding-right': 2 } : {}),
    },
    ...(layout.plain ? { chars: noLines } : {}),
  });
  for (const row of cells) table.push(row.slice(0, count));
  const text = table.toString().replaceAll(/ +$/gm, '');
  const hidden = columns.slice(count).map(({ title }) => escapeControls(title));
  return hidden.length === 0 ? `${text}\n` : `${text}\n${moreColumns(hidden, layout.width)}\n`;
}

/**
 * Returns how many columns fit: at least one. Widths are counted in UTF-16 units, which is accurate enough for omitting columns.
 */
function fittingColumns(
  columns: readonly CellColumn[],
  cells: readonly string[][],
  layout: TableLayout,
): number {
  let used = layout.plain ? 0 : 1;
  for (const [index, { title }] of columns.entries()) {
    const widest = cells.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), title.length);
    used += widest + (layout.plain ? 2 : 3);
    if (used > layout.width) return Math.max(index, 1);
  }
  return columns.length;
}

function moreColumns(titles: readonly string[], width: number): string {
  const text = `(also ${titles.join(', ')})`;
  return text.length <= width ? text : `${text.slice(0, Math.max(width - 2, 10))}…)`;
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/** Maximum number of rows of a table. They are buffered, because the rows determine the columns. */
const maxRows = 200;

/** Writes the first rows as one table, and the number of all rows. */
export function createTableOutput(
  output: Output,
  palette: Palette,
  preferred: readonly string[][],
  columns: readonly CellColumn[] | null = null,
): RowOutput {
  const rows: object[] = [];
  const written: Buffer[] = [];
  let count = 0;
  return {
    add(raw, row) {
      count += 1;
      if (rows.length >= maxRows) return;
      rows.push(row);
      // A view would retain the whole input chunk.
      written.push(Buffer.from(raw.bytes));
    },
    flush: () => Promise.resolve(),
    async end() {
      if (rows.length === 0) return;
      const table = renderTable(rows, {
        width: output.columns,
        preferred,
        columns,
        written,
        title: palette.strong,
        plain: false,
      });
      const more =
        count > rows.length ? `the first ${rows.length} of ${count} rows: --limit shows fewer\n` : '';
      await output.write(table + more);
    },
  };
}
