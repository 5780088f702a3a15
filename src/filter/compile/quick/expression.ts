import type { Predicate } from '../frame/predicate.js';
import type { QuickCheck } from './check.js';
import type { QuickPairCheck } from './pair-check.js';

/**
 * An expression in the form that the quick runners evaluate. It consists of matches that property reads and one simple check
 * decide for nearly every row, and of careful predicates for everything else. The careful closures define the semantics; quick
 * runners must return the same results. A value that a check does not handle is passed to `settle` with everything read from the
 * row, so that no property is read twice.
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
  /** Property names from the row or element to the value; empty for the element itself. */
  readonly path: readonly QuickName[];
  readonly check: QuickCheck;
  readonly isNegated: boolean;
  /**
   * Returns the result of the match if the check does not decide. `parent`: the row or the element. `read`: the values read so far,
   * one per name of the path: undefined after the first missing one, and shorter than the path if reading stopped early.
   */
  readonly settle: Settle;
}

/** A match that compares two properties of the row or the element. */
export interface QuickPair {
  readonly kind: 'pair';
  readonly names: readonly [QuickName, QuickName];
  readonly check: QuickPairCheck;
  readonly isNegated: boolean;
  /** As for {@link QuickMatch}; `read` contains both values or none. */
  readonly settle: Settle;
}

export type Settle = (parent: unknown, read: readonly unknown[]) => boolean;

/** One property name of a path. */
export interface QuickName {
  readonly text: string;
  /** True for a field or key that the schema names; false for a name that occurs only in the filter's source. */
  readonly isDeclared: boolean;
  /**
   * The test of the holder before the property is read. Needed if other kinds of objects have a built-in property of that name
   * that is not a field.
   */
  readonly guard: 'plain' | 'no function' | null;
}

/** `any` or `all` over a list, with a body that reads only the element. */
export interface QuickWalk {
  readonly kind: 'any' | 'all';
  readonly path: readonly QuickName[];
  readonly body: QuickExpression;
  /** Maximum list length for the quick walk. Longer lists are charged to the budget, and go to `settle`. */
  readonly maxLength: number;
  /** The current position, set before `settle` of the body is called; errors report it. */
  readonly position: { key: string | number };
  /** Returns the result for all values except lists of at most `maxLength` elements. */
  readonly settle: Settle;
}

/** An expression that only the careful closures can evaluate. */
export interface GenericExpression {
  readonly kind: 'careful';
  readonly test: Predicate;
}
