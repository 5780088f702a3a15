import type { Span } from '../diagnostics/span.js';
import type { MatchOperator } from '../operators/operators.js';

export type { BinaryOperator, MatchOperator, UnaryOperator } from '../operators/operators.js';

/**
 * The tree of a filter expression. Every node is a frozen plain object with a `kind` and the `span` of its
 * source text; passes over the tree return new trees or side tables and never annotate it.
 */
export type Expression =
  OrExpression | AndExpression | NotExpression | MatchExpression | CollectionExpression;

/** Two or more operands, true when one is. `a or (b or c)` has three operands, `(a or b) or c` has two. */
export interface OrExpression {
  readonly kind: 'or';
  readonly operands: readonly Expression[];
  readonly span: Span;
}

/** Two or more operands, true when all are. Nests like {@link OrExpression}. */
export interface AndExpression {
  readonly kind: 'and';
  readonly operands: readonly Expression[];
  readonly span: Span;
}

/** Negation. A `not` directly over a `not` cancels, so the operand is never a NotExpression. */
export interface NotExpression {
  readonly kind: 'not';
  readonly operand: Expression;
  readonly span: Span;
}

/** One test of one field. `value` is null exactly for the unary operators. */
export interface MatchExpression {
  readonly kind: 'match';
  readonly operator: MatchOperator;
  /** The span of the operator's own words: `is not empty`, `contains`, `==`. */
  readonly operatorSpan: Span;
  readonly selector: Selector;
  readonly value: Value | null;
  readonly span: Span;
}

/** `any L as x { ... }` and `all L as i, x { ... }`. */
export interface CollectionExpression {
  readonly kind: 'any' | 'all';
  readonly selector: Selector;
  readonly binding: CollectionBinding;
  readonly body: Expression;
  readonly span: Span;
}

/**
 * The names that a collection expression introduces: `as x` sets `default` (the element of a list, the key of a
 * map); `as i, x`, `as i, _` and `as _, x` set `index` (index or key) and `value` (element or value).
 */
export interface CollectionBinding {
  readonly default: Name | null;
  readonly index: Name | null;
  readonly value: Name | null;
  readonly span: Span;
}

export interface Name {
  readonly text: string;
  readonly span: Span;
}

/**
 * A path to a value. `path` is decoded (brackets, quotes, `~1` and `~0` are gone); `partSpans[i]` is the source of
 * `path[i]`. `pointer` is a JSON pointer written in double quotes, `bexpr` is everything else.
 */
export interface Selector {
  readonly kind: 'selector';
  readonly form: 'bexpr' | 'pointer';
  readonly path: readonly string[];
  readonly partSpans: readonly Span[];
  readonly span: Span;
}

/** How a value was written. It never changes what the value means. */
export type ValueForm = 'bare' | 'number' | 'quoted' | 'raw';

/**
 * The right-hand side of a match: always text. `wellFormed` is false for a literal whose bytes are not UTF-8
 * (`"\xff"`): `text` then holds U+FFFD for each bad byte and the value equals nothing.
 */
export interface Value {
  readonly kind: 'value';
  readonly text: string;
  readonly wellFormed: boolean;
  readonly form: ValueForm;
  readonly span: Span;
}

/** Reports a case that the type checker has proven impossible. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected ${JSON.stringify(value)}`);
}
