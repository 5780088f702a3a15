import type { Span } from '../diagnostics/span.js';
import type { MatchOperator } from '../operators/operators.js';

export type { BinaryOperator, MatchOperator, UnaryOperator } from '../operators/operators.js';

/**
 * The tree of a filter expression. Every node is a frozen plain object with a `kind` and the `span` of its source; passes over
 * the tree return new trees or side tables and never annotate it.
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

/**
 * One test of one field. `value` is null exactly for the unary operators, and a list exactly for `in [..]` and its
 * negation.
 */
export interface MatchExpression {
  readonly kind: 'match';
  readonly operator: MatchOperator;
  /** The span of the operator's own words: `is not empty`, `contains`, `==`, the `in` of `in [..]`. */
  readonly operatorSpan: Span;
  /** Which aspect of the selected value is tested: the value itself or, with `len(...)`, its length. */
  readonly aspect: Aspect;
  readonly selector: Selector;
  readonly value: MatchValue | null;
  readonly span: Span;
}

export type Aspect = 'value' | 'length';

/** The right-hand side of a match. */
export type MatchValue = Value | FieldReference | ValueList;

/** `any L as x { ... }` and `all L as i, x { ... }`. */
export interface CollectionExpression {
  readonly kind: 'any' | 'all';
  readonly selector: Selector;
  readonly binding: CollectionBinding;
  readonly body: Expression;
  readonly span: Span;
}

/**
 * The names that a collection expression introduces: `as x` sets `default` (the element of a list, the key of a map), `as i, x`
 * sets `index` (index or key) and `value` (element or value). `_` instead of one of the two leaves it null.
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

/**
 * How a value was written. For `==`, `in`, `contains` and `matches` only `typed` matters. After an ordering and in a list, an
 * unquoted `now` is the clock, and a quoted number is a string.
 */
export type ValueForm =
  | 'bare'
  | 'number'
  | 'quoted'
  | 'raw'
  /** Begins with a digit but is not a number: `7d`, `10.0.0.0/8`. */
  | 'typed'
  /** The clock with an offset; the value's string is `now - 7d`, with exactly these spaces. */
  | 'now';

/**
 * A literal: always a string. `wellFormed` is false if its bytes are not UTF-8 (`"\xff"`): `text` then contains U+FFFD for each
 * invalid byte, and the value equals nothing.
 */
export interface Value {
  readonly kind: 'value';
  readonly text: string;
  readonly wellFormed: boolean;
  /** Whether the comparison ignores case: `"web"i`. */
  readonly ignoreCase: boolean;
  readonly form: ValueForm;
  readonly span: Span;
}

/** `@Other.Field`: the value of another field of the row. */
export interface FieldReference {
  readonly kind: 'reference';
  readonly selector: Selector;
  readonly span: Span;
}

/** `["a", "b"]`. The span includes the brackets. */
export interface ValueList {
  readonly kind: 'list';
  readonly elements: readonly Value[];
  readonly span: Span;
}

/** Returns the literal of a match; null if it has none, a reference or a list. */
export function literalOf({ value }: Pick<MatchExpression, 'value'>): Value | null {
  return value?.kind === 'value' ? value : null;
}

/** Returns the literals of a match: one, those of a list, or none. */
export function literalsOf({ value }: Pick<MatchExpression, 'value'>): readonly Value[] {
  if (value?.kind === 'list') return value.elements;
  return value?.kind === 'value' ? [value] : [];
}

/** Reports a case that the type checker has proven impossible. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected ${JSON.stringify(value)}`);
}

/** The results of `any` and `all` if the collection is absent, empty or nil. */
export const emptyCollectionResult: Readonly<Record<'any' | 'all', boolean>> = { any: false, all: true };
