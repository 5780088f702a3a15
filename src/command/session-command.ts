import type { Filter, FilterOptions } from '../index.js';
import type { CellColumn } from './columns.js';
import type { Palette } from './palette.js';

/** A command of the session, entered with a leading dot. */
export interface SessionCommand {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  run(argument: string): string;
}

/** Writes a new file. @throws the file system's error, `EEXIST` if the file exists. */
export type SaveFile = (path: string, chunks: Iterable<string>) => void;

/** The requested columns; null if the rows determine them. */
export interface TableChoice {
  columns: readonly CellColumn[] | null;
}

/** The state of the session that commands operate on. */
export interface SessionContext {
  readonly rows: readonly object[];
  readonly palette: Palette;
  readonly table: TableChoice;
  /** Returns the matches of the last filter. */
  matches(): readonly object[];
  /** Returns the last valid expression; null if none exists yet. */
  lastSource(): string | null;
  /** Returns the options with which filters are currently evaluated. */
  filterOptions(): FilterOptions;
  /** @throws FilterError */
  compile(source: string): Filter<object>;
  /** Returns the result of `render`; if it throws a filter error, the error's message. */
  guarded(render: () => string): string;
  /** Null if nothing can be written. */
  readonly save: SaveFile | null;
  readonly now: () => number;
}
