import type { Predicate } from '../frame/predicate.js';
import type { QuickCheck } from './check.js';
import type { QuickPairCheck } from './pair-check.js';

/**
 * An expression as the quick runners see it: matches that plain property reads and one simple check decide for nearly every row,
 * and the careful predicate of the node for everything else.
 *
 * The careful closures are the meaning of the language. What is here may only be faster: a value that a check is not
 * made for goes to `settle`, with all that was read of the row, so that nothing is read a second time.
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

/** A match on the row, or, in the body of a walk, on the element. */
export interface QuickMatch {
  readonly kind: 'match';
  /** None for the element itself. */
  readonly path: readonly QuickName[];
  readonly check: QuickCheck;
  readonly isNegated: boolean;
  /**
   * Returns the result of the match if the check has none. `holder`: the row or the element; `read`: what was read of it, name by
   * name: undefined after the first missing one, and nothing from a name on that was not read.
   */
  readonly settle: Settle;
}

/** A match that compares two values of the row or the element, each a property of its own. */
export interface QuickPair {
  readonly kind: 'pair';
  readonly names: readonly [QuickName, QuickName];
  readonly check: QuickPairCheck;
  readonly isNegated: boolean;
  /** As that of a match; either both names were read, or neither. */
  readonly settle: Settle;
}

export type Settle = (parent: unknown, read: readonly unknown[]) => boolean;

/** One property name of a path. */
export interface QuickName {
  readonly text: string;
  /** True for a field of the host's schema, or a key that it names; false for a name that only the filter's source contains. */
  readonly isDeclared: boolean;
  /**
   * How the holder must be tested first, because other kinds of objects have a built-in property of that name that is not a
   * field.
   */
  readonly guard: 'plain' | 'no function' | null;
}

/** `any` or `all` over a list, with a body that looks at nothing but the element. */
export interface QuickWalk {
  readonly kind: 'any' | 'all';
  readonly path: readonly QuickName[];
  readonly body: QuickExpression;
  /** Maximum length of a list that is walked here; a longer one must be charged for. */
  readonly maxLength: number;
  /** Where a failing match of the body finds the position of the element. */
  readonly position: { key: string | number };
  /** Returns the result for everything except a list of at most that length. */
  readonly settle: Settle;
}

/** An expression that only the careful closures can evaluate. */
export interface GenericExpression {
  readonly kind: 'careful';
  readonly test: Predicate;
}
