import type { Filter } from '../../filter/filter.js';
import type { Order } from '../list/order.js';
import type { PageBits } from './page-bits.js';
import type { RowPage, SortedRows } from './sorted-rows.js';

/** What is known of the rows of a page without a look at them. */
export interface PageAnswer {
  /** The rows that satisfy the filter, or may. Of no length where none does. */
  readonly bits: PageBits;
  /** Those of them that have to be asked, in their order and as far as is needed; null for none. */
  readonly unsure: PageBits | null;
  /** How many rows the page has. */
  readonly size: number;
}

/** Counts the values of a field in rows that are given by their bits. */
export interface FieldCounts<T> {
  /** Counts what it can, and gives the rows that are left to look at, null for none; false where all are. */
  count(page: RowPage<T>, bits: PageBits, from: number, to: number): PageBits | null | false;
  /** The values that were counted: of each a row that has it there. */
  readonly found: () => Iterable<{ readonly row: T; readonly count: number }>;
}

/** How a clause is answered, for people. */
export interface ClauseAnswer {
  /** The clause, as text. */
  readonly filter: string;
  /** `columns`: by codes of values; `kept`: by what it has answered before; `rows`: by asking them. */
  readonly by: 'columns' | 'kept' | 'rows';
  /** In a few words. */
  readonly why: string;
}

/** What is kept beside the rows of a table, as one question to one of its versions uses it. */
export interface RowAnswers<T> {
  /** The answer for a page where it is at hand; null where rows have to be asked, undefined where something can be made first. */
  readonly known: (page: RowPage<T>) => PageAnswer | null | undefined;
  /** How many rows of a page satisfy the filter, where that is told without their bits, and noted; null where it is not. */
  readonly count: (page: RowPage<T>) => number | null;
  /** Makes what is worth making, in steps; then as `known`. */
  readonly make: (page: RowPage<T>) => Generator<void, PageAnswer | null, undefined>;
  /** So many rows were answered for, however: what is worth making is told by that. */
  readonly note: (rows: number) => void;
  /** Null where the values of the field have no codes. */
  readonly counts: (field: string) => FieldCounts<T> | null;
  readonly explain: () => readonly ClauseAnswer[];
}

/** Somebody who may not see all rows of a table. */
export interface Viewer<T> {
  /** The same for all who see the same rows, and for nobody else. */
  readonly key: string;
  /** Whether they see a row: always the same for the same row. */
  readonly sees: (row: T) => boolean;
}

/** Some of the rows of a table, of which answers are kept by themselves. */
export interface RowsPart<T> {
  /** Those that somebody sees; null for all. */
  readonly viewer: Viewer<T> | null;
  /** Those of a group of an index, by its name; empty for all. */
  readonly group: string;
}

/** Rows, with what is known of them. */
export interface AnsweredRows<T> {
  readonly rows: SortedRows<T>;
  readonly answers: RowAnswers<T>;
}

/** Whoever keeps answers beside rows. */
export interface AnswerKeeper<T> {
  /** What there is for a filter, null for all rows; null where rows are to be asked as if nothing were kept. */
  open(rows: SortedRows<T>, filter: Filter<T> | null): RowAnswers<T> | null;
  /**
   * The same for a part of the rows of a table: of all of them, or of those of a group, the rows that the viewer sees. Left out
   * where nothing is kept of parts.
   */
  openPart?(part: RowsPart<T>, rows: SortedRows<T>, filter: Filter<T> | null): AnsweredRows<T> | null;
}

/** By the order of the rows, which all versions of a table share. */
const keepers = new WeakMap<Order<never>, AnswerKeeper<never>>();

/** Names who keeps answers beside all rows that stand in this order. */
export function holdAnswers<T>(order: Order<T>, keeper: AnswerKeeper<T>): void {
  keepers.set(order as object as Order<never>, keeper as object as AnswerKeeper<never>);
}

/** What is kept beside rows: all of a table, or a part; null for nothing. */
export function answersOf<T>(
  rows: SortedRows<T>,
  filter: Filter<T> | null,
  part: RowsPart<T> | null = null,
): AnsweredRows<T> | null {
  const keeper = keepers.get(rows.order as object as Order<never>) as object as AnswerKeeper<T> | undefined;
  if (part !== null) return keeper?.openPart?.(part, rows, filter) ?? null;
  const answers = keeper?.open(rows, filter) ?? null;
  return answers === null ? null : { rows, answers };
}
