import type { CellColumn } from './columns.js';
import type { Output } from './io.js';
import type { Palette } from './palette.js';
import type { RowOutput } from './row-output.js';
import { renderTable } from './table.js';

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
