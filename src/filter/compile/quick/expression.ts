import type { Predicate } from '../frame/predicate.js';
import type { QuickCheck } from './check.js';
import type { QuickPairCheck } from './pair-check.js';

/**
 * An expression as the quick runners see it: matches that plain property reads and one simple check answer for nearly
 * every row, and for everything else the careful predicate of the node.
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
   * The answer of the match where the check has none. `holder`: the row or the element; `read`: what was read of it,
   * name by name: undefined behind the first that was missing, and nothing from a name on that was not asked for.
   */
  readonly settle: Settle;
}

/** A match that compares two values of the row or the element, each a property of its own. */
export interface QuickPair {
  readonly kind: 'pair';
  readonly names: readonly [QuickName, QuickName];
  readonly check: QuickPairCheck;
  readonly isNegated: boolean;
  /** As that of a match; both names were read, or none. */
  readonly settle: Settle;
}

export type Settle = (parent: unknown, read: readonly unknown[]) => boolean;

/** One property name of a path. */
export interface QuickName {
  readonly text: string;
  /** True for a field of the host's schema, or a key that it names; false for a name that only the filter's text holds. */
  readonly isDeclared: boolean;
  /** What has to be asked of the holder, because other kinds of things have a property of that name that is no field. */
  readonly guard: 'plain' | 'no function' | null;
}

/** `any` or `all` over a list, with a body that looks at nothing but the element. */
export interface QuickWalk {
  readonly kind: 'any' | 'all';
  readonly path: readonly QuickName[];
  readonly body: QuickExpression;
  /** Longest list that is walked here; a longer one has to be paid for. */
  readonly maxLength: number;
  /** Where a match of the body finds the place of the element, should it fail. */
  readonly position: { key: string | number };
  /** The answer for everything that is no list of that length. */
  readonly settle: Settle;
}

/** What only the careful closures answer. */
export interface GenericExpression {
  readonly kind: 'careful';
  readonly test: Predicate;
}
