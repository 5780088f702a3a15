import type { Condition } from '../cases/condition.js';
import type { RowKind } from '../data/rows.js';

/** All rows that satisfy a filter, in their order. A promise where the library has no synchronous way. */
export type Select = (rows: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>;

/** A condition in a competitor's own language. */
export interface Written {
  /** For display. */
  readonly form: string;
  /** Compiles it again, from the source on. */
  readonly compile: () => Select;
}

/** The task of a competitor. */
export interface BenchQuery {
  readonly condition: Condition;
  readonly kind: RowKind;
}

/**
 * The baseline of a competitor: the hand-written loop; for predicates a hand-written one in the same `rows.filter`; for filters
 * that are compiled each time a loop that is given another literal each time too.
 */
export type Reference = 'loop' | 'predicate' | 'one-shot';

/** A library that can filter lists. */
export interface Competitor {
  readonly name: string;
  /** How it evaluates, in a few words. */
  readonly manner: string;
  /** By default `loop`. */
  readonly against?: Reference;
  /** For one-shot filters: what cannot be saved, which is to read the text. */
  readonly read?: (form: string) => unknown;
  /**
   * Writes the condition down. The languages are taken as they come: no functions of ours are added.
   * @throws CannotExpress where the language has no words for it.
   */
  write(query: BenchQuery): Written;
}

/** `rows.filter`, called from one place for all predicates, as from the one request handler of a server. */
export function filterRows(rows: readonly unknown[], test: (row: unknown) => boolean): unknown[] {
  return rows.filter(test);
}

/** A condition for which a language has no words. */
export class CannotExpress extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CannotExpress';
  }
}

/** The condition in the competitor's language, or the reason why it cannot be written. */
export function tryWrite(competitor: Competitor, query: BenchQuery): Written | CannotExpress {
  try {
    return competitor.write(query);
  } catch (error) {
    if (error instanceof CannotExpress) return error;
    throw error;
  }
}
