import type { Type } from '../../../language/schema/type.js';
import type { Budget } from '../frame/meter.js';
import type { Predicate } from '../frame/predicate.js';
import type { QuickExpression } from './expression.js';

/** A compiled expression. Each part is built on first use. */
export interface CompiledExpression {
  /** The type of a row. */
  readonly root: Type;
  /** The careful closures, which define the semantics for every kind of row. */
  readonly test: Predicate;
  /** The part of the expression that the quick runners can evaluate. */
  readonly quick: () => QuickExpression;
  /**
   * The account of a row, which callers that evaluate clauses separately must open first. Null if the clauses open it themselves.
   */
  readonly account: Budget | null;
  /** Whether a row for which the expression throws does not match. `test` then never throws. */
  readonly denies: boolean;
}
