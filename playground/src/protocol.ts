import type { SchemaJSON, Span, Suggestion } from 'tamis';
import type { Completions, Formatted, Hover } from 'tamis/editor';
import type { ValueCount } from 'tamis/explain';

/** Rows to load: a file that was opened or dropped, text that was pasted or came with a link, or rows to try things on. */
export type RowSource =
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'sample'; readonly id: string };

export type RowFormat = 'json' | 'ndjson' | 'csv';

/** A row, or the whole text, that could not be read. */
export interface ReadProblem {
  /** Counted from 1; null where the problem has no line. */
  readonly line: number | null;
  readonly message: string;
  readonly hint: string | null;
}

/** Rows that have been read. They stay in the worker: a page requests those that it shows. */
export interface Dataset {
  readonly name: string;
  readonly format: RowFormat;
  readonly rows: number;
  /** Characters of the text that they were read from. */
  readonly characters: number;
  /** The names of the fields of the rows, the first ones. */
  readonly columns: readonly Column[];
  /** How many more fields there are. */
  readonly hiddenColumns: number;
  /** What was inferred from all rows. */
  readonly schema: SchemaJSON;
  /** Rows that were left out, the first of them. */
  readonly problems: readonly ReadProblem[];
  readonly problemCount: number;
}

export interface Column {
  readonly name: string;
  /** The width that most of its values need, in characters. */
  readonly width: number;
  readonly isNumeric: boolean;
}

export type Outcome<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: ReadProblem };

/** Which of the rows a list shows. */
export type RowSelection = 'all' | 'matching' | 'failed';

/** The state of a row: not evaluated yet, no match, a match, or an error. */
export const rowStates = ['unknown', 'miss', 'match', 'failed'] as const;
export type RowState = (typeof rowStates)[number];

/** How far a filter has got with the rows. */
export interface ScanState {
  readonly scanned: number;
  readonly matched: number;
  readonly failed: number;
  /** Time of evaluating rows in ms, without anything else. */
  readonly scanTime: number;
  readonly isDone: boolean;
  /** What the first row that failed said. */
  readonly failure: { readonly row: number; readonly message: string } | null;
}

/** An evaluated filter. */
export interface ScanOutcome extends ScanState {
  /** Milliseconds. */
  readonly compileTime: number;
}

/** The result of a filter: null if a newer one came, false if the source is not a valid filter for these rows. */
export type RunOutcome = ScanOutcome | null | false;

/** A cell as it is shown, cut where it is long. */
export interface Cell {
  readonly kind: 'text' | 'number' | 'bool' | 'null' | 'absent' | 'nested';
  readonly text: string;
}

export interface RowView {
  /** Its index in the dataset. */
  readonly index: number;
  readonly state: RowState;
  readonly cells: readonly Cell[];
}

/** A mark below a filter: an error, or a finding about a filter that is sound. */
export interface FilterProblem {
  readonly severity: 'error' | 'warning';
  readonly span: Span;
  readonly message: string;
  readonly hint: string | null;
  readonly suggestions: readonly Suggestion[];
}

/** A part of a filter, for trees and diagrams. */
export interface FilterNode {
  readonly kind: 'and' | 'or' | 'not' | 'match' | 'any' | 'all';
  /** A match as it is written; for a collection what goes before its braces. */
  readonly text: string;
  readonly span: Span;
  readonly children: readonly FilterNode[];
}

/** A part of a filter and what became of it for one row. */
export interface ExplainedNode {
  readonly kind: FilterNode['kind'];
  readonly text: string;
  readonly span: Span;
  /** Null where it was not needed or failed. */
  readonly matches: boolean | null;
  readonly isNeeded: boolean;
  /** What it met in the row, or why it failed; empty where there is nothing to say. */
  readonly note: string;
  readonly children: readonly ExplainedNode[];
}

export interface RowDetail {
  readonly index: number;
  /** The row as JSON, cut where it is long. */
  readonly json: string;
  readonly isCut: boolean;
  /** Null where there is no filter. */
  readonly explained: ExplainedNode | null;
  /** Which clauses decided, one line each. */
  readonly decidedBy: readonly string[];
}

/** One clause of a filter and what it leaves of the rows. */
export interface ClauseCount {
  readonly text: string;
  readonly span: Span;
  readonly alone: number;
  readonly surviving: number;
  readonly failed: number;
}

export interface ClauseReport {
  readonly rows: number;
  readonly isPartial: boolean;
  readonly matched: number;
  readonly clauses: readonly ClauseCount[];
  /** The clause that causes an empty result; null if rows match. */
  readonly blocking: number | null;
  readonly values: readonly Pick<ValueCount, 'text' | 'count'>[];
  readonly hasMoreValues: boolean;
  readonly range: { readonly least: string; readonly greatest: string } | null;
  /** One line for people; empty where rows match. */
  readonly summary: string;
  readonly suggestions: readonly Suggestion[];
}

/** What there is to say about a filter that is sound. */
export interface Inspection {
  readonly tree: FilterNode;
  readonly findings: readonly FilterProblem[];
  readonly portable:
    | { readonly ok: true; readonly text: string }
    | { readonly ok: false; readonly reasons: readonly FilterProblem[] };
}

/** The databases that a filter is written for. */
export const sqlDialects = ['postgres', 'sqlite', 'duckdb'] as const;
export type SqlDialect = (typeof sqlDialects)[number];

/** A filter as a condition of a database. */
export interface SqlStatement {
  /** The condition after WHERE, with placeholders for its values. */
  readonly condition: string;
  /** As they are shown. */
  readonly values: readonly string[];
  /** The remaining filter for the rows that the database returns; null if nothing remains. */
  readonly residual: string | null;
  readonly clauses: readonly {
    readonly filter: string;
    readonly by: 'exact' | 'partial' | 'residual';
    /** Why the database cannot evaluate it; null if it can. */
    readonly why: string | null;
  }[];
}

/** The methods of the worker. Every call returns, in any order. */
export interface Engine {
  /** Null if others were requested before these were read. */
  load(source: RowSource): Outcome<Dataset> | null;
  /** Null for rows without a schema. Returns the schema as it was understood. */
  setSchema(schema: SchemaJSON | null): Outcome<SchemaJSON | null>;
  /** Ends when all rows have been evaluated, or a newer run begins. An empty source matches every row. */
  run(text: string): RunOutcome;
  /** Ends a run where it is. */
  stop(): null;
  rows(selection: RowSelection, from: number, count: number): readonly RowView[];
  detail(row: number): RowDetail | null;
  inspect(text: string): Inspection | null;
  report(text: string): ClauseReport | null;
  /** Null where there is no schema, or the text is no filter for it. */
  sql(text: string, dialect: SqlDialect): SqlStatement | null;
  problems(text: string): readonly FilterProblem[];
  complete(text: string, offset: number): Completions;
  hover(text: string, offset: number): Hover | null;
  format(text: string): Formatted;
  /** All rows as the text that a link carries; null where that is longer than `most` characters. */
  rowsText(max: number): string | null;
}

export type EngineMethod = keyof Engine;

/** A call, and what the worker says. */
export interface CallMessage {
  readonly id: number;
  readonly method: EngineMethod;
  readonly args: readonly unknown[];
}
export type WorkerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  | { readonly kind: 'progress'; readonly state: ScanState };
