import type { CellColumn } from './columns.js';
import type { Output } from './io.js';
import type { Palette } from './palette.js';
import type { RowOutput } from './row-output.js';
import { renderTable } from './table.js';

/** Most rows of a table. Its columns can only be chosen when the rows are known, so these are held in memory. */
const maxRows = 200;

/** The first rows as one table, and how many there were. */
export function createTableOutput(
  output: Output,
  palette: Palette,
  preferred: readonly string[][],
  columns: readonly CellColumn[] | null = null,
): RowOutput {
  const rows: object[] = [];
  let count = 0;
  return {
    add(_, row) {
      count += 1;
      if (rows.length < maxRows) rows.push(row);
    },
    flush: () => Promise.resolve(),
    async end() {
      if (rows.length === 0) return;
      const table = renderTable(rows, {
        width: output.columns,
        preferred,
        columns,
        title: palette.strong,
        plain: false,
      });
      const more =
        count > rows.length ? `the first ${rows.length} of ${count} rows: --limit shows fewer\n` : '';
      await output.write(table + more);
    },
  };
}
