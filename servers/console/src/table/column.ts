import type { ComponentChildren } from 'preact';

/** A column of a table, declared. */
export interface Column<Row> {
  readonly title: string;
  /** Width of the grid track: `8ch`, `minmax(12ch, 2fr)`. */
  readonly width: string;
  /** Returns the content of a cell. Strings are shown as untrusted text. */
  readonly render: (row: Row) => ComponentChildren;
  /** The field by which the agent sorts; omitted if not sortable. */
  readonly sort?: string;
  /** Returns a filter path and value, by which a click filters; omitted if not filterable. */
  readonly clauseFor?: (row: Row) => {
    readonly path: readonly string[];
    readonly value: string | number | boolean;
  };
  readonly isNumeric?: boolean;
  /** Minimum width of the window in pixels to show it; default: always. */
  readonly from?: 600 | 900 | 1200;
}
