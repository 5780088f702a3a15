import type { Span } from '../diagnostics/span.js';

/**
 * What the `standard` dialect accepts and go-bexpr does not, or reads differently:
 *
 * - `missing-whitespace`: words or a number that touch their neighbour (`not(a == 1)`, `{ x == 5}`); the span is empty;
 * - `extra-whitespace`: blanks inside a selector (`a . b`, `a ["k"]`);
 * - `bare-collection`: `any` or `all` beside `and`, `or` or `not` without parentheses;
 * - `escaped-quote`: `\"` inside a double-quoted literal;
 * - `abandoned-reading`: go-bexpr gives up on `not in in )`, where a value and `in` are followed by no selector, although
 *   another reading exists;
 * - `standard-operator`: an operator that go-bexpr does not have (at present there is none);
 * - `quoted-pointer-value`: a value such as `"/srv/x"`. Both dialects accept it, but go-bexpr reads `srv/x`.
 */
export type RelaxationKind =
  | 'missing-whitespace'
  | 'extra-whitespace'
  | 'bare-collection'
  | 'escaped-quote'
  | 'abandoned-reading'
  | 'standard-operator'
  | 'quoted-pointer-value';

/** One use of what only the `standard` dialect offers. A text without any means the same in both dialects. */
export interface Relaxation {
  readonly kind: RelaxationKind;
  readonly span: Span;
}

/** `go-bexpr` is the library, exactly. `standard` reads all that it accepts, and more (see {@link RelaxationKind}). */
export type Dialect = 'standard' | 'go-bexpr';
