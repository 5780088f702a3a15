import type { ComponentChildren } from 'preact';

/** Rows of a list that need a person: what is the matter with them, and how each is told. */
export interface Alert<Row> {
  /** What they are, after their count: `nodes down`. */
  readonly title: (count: number) => string;
  /** The page of the list, and its route below `/v1/`. */
  readonly list: string;
  readonly filter: string;
  readonly sort: string;
  /** What the route is asked beside the filter. */
  readonly query: Readonly<Record<string, string>>;
  /** A field with few values: its facets count the rows where there are more than are read. */
  readonly countedBy: string;
  readonly topic: string;
  /** `bad` is broken; `busy` waits for a decision, or may become bad. */
  readonly tone: 'bad' | 'busy';
  readonly render: (row: Row) => ComponentChildren;
}

/** A row that has an ID, as all of them have. */
export interface AlertRow {
  readonly ID: string;
}
