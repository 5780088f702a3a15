import type { MatchExpression } from '../../../language/syntax/ast.js';
import type { CompileContext } from '../frame/compile-context.js';
import type { Predicate } from '../frame/predicate.js';
import type { QuickCheck } from './check.js';
import type { QuickPairCheck } from './pair-check.js';

/**
 * An expression as the quick runners evaluate it. Property reads and one simple check decide a match for nearly every row.
 * Careful predicates evaluate everything else. They define the semantics, and quick runners must return the same results. A value
 * that a check does not handle is passed to `settle` together with everything read so far, so that no property is read twice.
 */
export type QuickExpression =
  QuickJunction | QuickNot | QuickMatch | QuickPair | QuickWalk | GenericExpression;

export interface QuickJunction {
  readonly kind: 'and' | 'or';
  readonly operands: readonly QuickExpression[];
}

export interface QuickNot {
  readonly kind: 'not';
  readonly operand: QuickExpression;
}

/** A match on the row or, in the body of a walk, on the element. */
export interface QuickMatch {
  readonly kind: 'match';
  /** Property names from the row or element to the value; empty if the value is the element itself. */
  readonly path: readonly QuickName[];
  readonly check: QuickCheck;
  readonly isNegated: boolean;
  /** What the check was chosen for: the match, or several `==` or `!=` of one field, and their context. */
  readonly matches: readonly MatchExpression[];
  readonly context: CompileContext;
  /**
   * Returns the result of the match if the check does not decide it. `parent` is the row or element. `read` contains the values
   * read so far, one per name: undefined after the first missing one, and shorter if reading stopped early.
   */
  readonly settle: Settle;
}

/** A match that compares two properties of the row or the element. */
export interface QuickPair {
  readonly kind: 'pair';
  readonly names: readonly [QuickName, QuickName];
  readonly check: QuickPairCheck;
  readonly isNegated: boolean;
  /** Like `settle` of {@link QuickMatch}; `read` contains both values or none. */
  readonly settle: Settle;
}

export type Settle = (parent: unknown, read: readonly unknown[]) => boolean;

/** One property name of a path. */
export interface QuickName {
  readonly text: string;
  /** Whether the schema declares the field or key. False if the name occurs only in the filter's source. */
  readonly isDeclared: boolean;
  /** Test of the holder before the property is read. Needed if other objects have a built-in property of that name. */
  readonly guard: 'plain' | 'no function' | null;
}

/** `any` or `all` over a list, with a body that reads only the element. */
export interface QuickWalk {
  readonly kind: 'any' | 'all';
  readonly path: readonly QuickName[];
  readonly body: QuickExpression;
  /** Maximum length of a list that is walked quickly. Walks over longer lists are charged, so they are left to `settle`. */
  readonly maxLength: number;
  /** The current position, for errors. Set before `settle` of the body is called. */
  readonly position: { key: string | number };
  /** Returns the result for every value except a list of at most `maxLength` elements. */
  readonly settle: Settle;
}

/** An expression that only the careful closures can evaluate. */
export interface GenericExpression {
  readonly kind: 'careful';
  readonly test: Predicate;
}
