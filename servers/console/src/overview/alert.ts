import type { ComponentChildren } from 'preact';

/** Rows of a list that need the operator's attention: the problem, and how each is shown. */
export interface Alert<Row> {
  /** Returns the label after the count: `nodes down`. */
  readonly title: (count: number) => string;
  /** Name of the list's page, and of its route below `/v1/`. */
  readonly list: string;
  readonly filter: string;
  readonly sort: string;
  /** Parameters of the route in addition to the filter. */
  readonly query: Readonly<Record<string, string>>;
  /** A field with few values. Its facets count the rows if not all are read. */
  readonly countedBy: string;
  readonly topic: string;
  /** `bad` is broken; `busy` waits for a decision, or may become bad. */
  readonly tone: 'bad' | 'busy';
  readonly render: (row: Row) => ComponentChildren;
}

/** A row with an ID. */
export interface AlertRow {
  readonly ID: string;
}
