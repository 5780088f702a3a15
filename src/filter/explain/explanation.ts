import type { FilterError } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import type { ScalarKind } from '../../language/values/instance/index.js';
import type { OperandLanguage } from '../../language/operators/operand-shape.js';
import type { UnequalLiteral } from '../../language/schema/unequal-literal.js';
import type { MatchOperator } from '../../language/syntax/ast.js';
import type { ObservedValue } from './observed-value.js';

/** The result of an expression for one row, as a tree with the shape of the expression. */
export type Explanation = JunctionExplanation | NegationExplanation | ClauseExplanation;

/** Explains an operand that reads the row itself: a match or a collection expression. */
export type ClauseExplanation = MatchExplanation | CollectionExplanation;

/** Fields common to all explanations. */
interface Outcome {
  /** The source of the part. */
  readonly text: string;
  readonly span: Span;
  /** The result; null if it was not needed, or failed. */
  readonly matches: boolean | null;
  /** False for operands after the one that decided the result. They were not evaluated. */
  readonly isNeeded: boolean;
  /** The error for this row; null if it did not fail or was not needed. */
  readonly error: FilterError | null;
}

export interface JunctionExplanation extends Outcome {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Explanation[];
}

export interface NegationExplanation extends Outcome {
  readonly kind: 'not';
  readonly operand: Explanation;
}

/** A literal converted to the kind in which it was compared: `"0x46"` is the int `70` for an int field. */
export interface ComparedLiteral {
  /** `pattern` after `matches`, `glob` after `like`, `any` if each element decides; otherwise the kind. */
  readonly kind: ScalarKind | OperandLanguage | 'any';
  /** The converted literal: strings in quotes, numbers and booleans without; instants, including `now`, in RFC 3339. */
  readonly text: string;
  /** Whether the comparison ignores case: `"web"i`. */
  readonly ignoreCase: boolean;
}

/** Order of a value relative to the other operand. */
export type Precedence = 'less' | 'equal' | 'more';

/** The value of the other field of a comparison, `@Other`. */
export interface ObservedReference {
  /** The selector in canonical spelling, without the leading `@`. */
  readonly selector: string;
  readonly observed: ObservedValue;
}

/** Relation of a value to a list of literals. */
export interface ListRelation {
  /** Number of literals in the list. */
  readonly size: number;
  /** The literal that equals the value or whose block contains it, as written; null if none exists. */
  readonly equal: string | null;
}

export interface MatchExplanation extends Outcome {
  readonly kind: 'match';
  readonly operator: MatchOperator;
  /** The selector in canonical spelling. */
  readonly selector: string;
  /** The value that the selector resolved to; null if it did not resolve (see `error`) or was not read. */
  readonly observed: ObservedValue | null;
  /** The length that `len(...)` compared; null for a clause without it, and if the value has no length. */
  readonly length: number | null;
  /** Null for operators without a literal, and if nothing was compared. */
  readonly literal: ComparedLiteral | null;
  /** The other value of a clause with `@Other`; null for other clauses, and if it was not read. */
  readonly other: ObservedReference | null;
  /** Order of the value (or length) relative to the literal or other value; null for operators that do not order. */
  readonly order: Precedence | null;
  /** The relation to the list of `in [..]`; null for other operators, and if nothing was compared. */
  readonly among: ListRelation | null;
}

/** The evaluation of a collection's body for one element. */
export interface ElementExplanation {
  /** Its index in a list or its key in a map. */
  readonly key: string | number;
  readonly body: Explanation;
}

export interface CollectionExplanation extends Outcome {
  readonly kind: 'any' | 'all';
  readonly selector: string;
  readonly observed: ObservedValue | null;
  /** Number of elements evaluated. */
  readonly examined: number;
  /** The element that decided; if none did, the first few. */
  readonly elements: readonly ElementExplanation[];
}

/** The reasons why a filter matches a row, or does not. */
export interface RowExplanation {
  readonly source: string;
  /** The result of `test`; null if it throws `error`. */
  readonly matches: boolean | null;
  readonly error: FilterError | null;
  /** The result of every part. */
  readonly tree: Explanation;
  /** The clauses that decided the result, in source order: the one false operand of an `and`, or all true ones. */
  readonly decidedBy: readonly ClauseExplanation[];
  /** Literals that can never equal a value of their field's kind: probably a mistake. */
  readonly notes: readonly UnequalLiteral[];
  /** Returns one line for each deciding clause, and the tree if there are several clauses. Ends with a newline. */
  toString(): string;
}
