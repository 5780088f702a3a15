import type { Span } from '../diagnostics/span.js';

/**
 * What the `standard` dialect accepts and go-bexpr does not, or parses differently:
 *
 * - `missing-whitespace`: words or a number that touch their neighbour (`not(a == 1)`, `{ x == 5}`); the span is empty;
 * - `extra-whitespace`: blanks inside a selector (`a . b`, `a ["k"]`);
 * - `bare-collection`: `any` or `all` joined by `and`, `or` or `not` without parentheses;
 * - `escaped-quote`: `\"` inside a double-quoted literal;
 * - `abandoned-reading`: go-bexpr gives up on `not in in )`, in which a value and `in` are followed by no selector, although
 * another parse exists;
 * - `quoted-pointer-value`: a value such as `"/srv/x"`. Both dialects accept it, but go-bexpr reads `srv/x`.
 *
 * And what is level 1 of the language:
 *
 * - `ordering`: `<`, `<=`, `>`, `>=`;
 * - `value-list`: `in ["a", "b"]`; the span is that of the list;
 * - `affix`: `starts with`, `ends with`;
 * - `glob`: `like`;
 * - `length`: `len(...)`; the span is that of the word;
 * - `ignore-case`: the `i` after a closing quote;
 * - `typed-literal`: a literal without quotes that begins with a digit and is not a number, such as `7d`;
 * - `field-reference`: the `@` in front of another field;
 * - `clock`: `now - 7d`;
 * - `field-name`: a selector that begins with a bracket, or a name that begins with an underscore (`["First Name"]`, `_id`); the
 * span is that of the bracket or of the name.
 */
export type RelaxationKind =
  | 'missing-whitespace'
  | 'extra-whitespace'
  | 'bare-collection'
  | 'escaped-quote'
  | 'abandoned-reading'
  | 'quoted-pointer-value'
  | 'ordering'
  | 'value-list'
  | 'affix'
  | 'glob'
  | 'length'
  | 'ignore-case'
  | 'typed-literal'
  | 'field-reference'
  | 'clock'
  | 'field-name';

/** One use of a feature that only the `standard` dialect has. A source without any has the same meaning in both dialects. */
export interface Relaxation {
  readonly kind: RelaxationKind;
  readonly span: Span;
}

/** The language level: 0 has only the features of go-bexpr, 1 has all. The dialect `go-bexpr` is always level 0. */
export type Level = 0 | 1;

/** `go-bexpr` accepts exactly what the library accepts. `standard` accepts more (see {@link RelaxationKind}). */
export type Dialect = 'standard' | 'go-bexpr';
