import type { Limits } from '../../../language/diagnostics/limits.js';
import type { Type } from '../../../language/schema/type.js';
import type { Expression, MatchExpression } from '../../../language/syntax/ast.js';
import type { CompileContext } from '../frame/compile-context.js';
import type { Budget } from '../frame/meter.js';
import type { Predicate } from '../frame/predicate.js';
import type { QuickCheck } from './check.js';
import type { QuickExpression } from './expression.js';

/** An expression split into its shape, shared with other expressions, and its own values. */
export interface ShapeKey {
  /** The shape. Expressions with the same signature have the same code. */
  readonly signature: string;
  /** Names that only the filter's source contains, in the order in which the code uses them. */
  readonly names: readonly string[];
  /** Literals, sets, patterns and careful closures, in the order in which the code uses them. */
  readonly values: readonly unknown[];
}

/** What a whole filter was compiled from, in addition to its schema. */
export interface Origin {
  readonly source: string;
  readonly limits: Limits;
  /** Identifies the other options that affect the meaning. */
  readonly settings: string;
}

/**
 * Creates the function that chooses the checks of a filter whose source differs from another one only in its literals. It returns
 * null if the literals of the matches are invalid or have no check. The patterns of the context are not used.
 */
export type CreateChooser = (
  origin: Origin,
) => (matches: readonly MatchExpression[], context: CompileContext) => QuickCheck | null;

/** A compiled expression. Each part is built on first use. */
export interface CompiledExpression {
  /** The type of a row. */
  readonly root: Type;
  /** The evaluated tree. If the expression is recalled, its spans are those of another source. */
  readonly tree: () => Expression;
  /** The careful closures, which define the semantics for every kind of row. */
  readonly test: Predicate;
  /** The part of the expression that the quick runners can evaluate. */
  readonly quick: () => QuickExpression;
  /**
   * The budget of a row, which callers that evaluate clauses separately must open first. Null if the clauses open it themselves.
   */
  readonly budget: Budget | null;
  /** Whether a row for which the expression throws does not match. `test` then never throws. */
  readonly denies: boolean;
  /** Null for a part of a filter, and for filters whose results depend on more than their source and their settings. */
  readonly origin: (Origin & { readonly createChooser: CreateChooser }) | null;
  /** Its shape and values if they are known without `quick`, else null. */
  readonly shape: ShapeKey | null;
}
