import type { ComponentChildren } from 'preact';

/** A column of a table, declared. */
export interface Column<Row> {
  readonly title: string;
  /** A track of a grid: `8ch`, `minmax(12ch, 2fr)`. */
  readonly width: string;
  readonly render: (row: Row) => ComponentChildren;
  /** The field by which the agent sorts by it; left out where it cannot. */
  readonly sort?: string;
  /** A path of the filter and its value in a row, which a click asks for; left out where nothing is to be asked. */
  readonly clauseFor?: (row: Row) => {
    readonly path: readonly string[];
    readonly value: string | number | boolean;
  };
  readonly isNumeric?: boolean;
  /** The least width of the window, in pixels, at which it is shown; left out for always. */
  readonly from?: 600 | 900 | 1200;
}
