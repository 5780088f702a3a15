import type { FilterError } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import type { ScalarKind } from '../../language/values/instance/index.js';
import type { OperandLanguage } from '../../language/operators/operand-shape.js';
import type { UnequalLiteral } from '../../language/schema/unequal-literal.js';
import type { MatchOperator } from '../../language/syntax/ast.js';
import type { ObservedValue } from './observed-value.js';

/** What became of an expression, or of a part of it, for one row. The tree has the shape of the expression. */
export type Explanation = JunctionExplanation | NegationExplanation | ClauseExplanation;

/** A part that looks at the row itself. */
export type ClauseExplanation = MatchExplanation | CollectionExplanation;

/** What is known of every part. */
interface Outcome {
  /** The part as it is written. */
  readonly text: string;
  readonly span: Span;
  /** Null where it was not needed, and where it failed. */
  readonly matches: boolean | null;
  /** False for what stands behind the operand that decided. Nothing is known of it. */
  readonly isNeeded: boolean;
  /** Why it has no answer for this row; null where it has one or was not needed. */
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

/** A literal in the kind that it was compared in: `"0x46"` is the int `70`, for a field of that kind. */
export interface ComparedLiteral {
  /** `pattern` behind `matches`, `glob` behind `like`, `any` where each element decides; else the kind. */
  readonly kind: ScalarKind | OperandLanguage | 'any';
  /** Text in quotes, numbers and booleans bare; an instant in RFC 3339, also that of `now`. */
  readonly text: string;
  /** Whether upper and lower case count as the same: `"web"i`. */
  readonly ignoreCase: boolean;
}

/** How a value stands to what it was compared with. */
export type Precedence = 'less' | 'equal' | 'more';

/** What `@Other` led to. */
export interface ObservedReference {
  /** The selector in canonical spelling, without the sign in front. */
  readonly selector: string;
  readonly observed: ObservedValue;
}

/** How a value stands to a list of literals. */
export interface ListRelation {
  /** How many literals the list has. */
  readonly size: number;
  /** The literal that the value equals, or in which it lies, as it is written; null for none of them. */
  readonly equal: string | null;
}

export interface MatchExplanation extends Outcome {
  readonly kind: 'match';
  readonly operator: MatchOperator;
  /** The selector in canonical spelling. */
  readonly selector: string;
  /** What the selector led to; null where it led nowhere (`error` tells why) or was not followed. */
  readonly observed: ObservedValue | null;
  /** The length that was compared, of `len(...)`; null for a clause without, and where there is none. */
  readonly length: number | null;
  /** Null for operators without a literal, and where nothing was compared. */
  readonly literal: ComparedLiteral | null;
  /** What the value was compared with, for a clause with `@Other`; null for others, and where it was not read. */
  readonly other: ObservedReference | null;
  /** How value (or length) and literal or other value stand to each other; null for operators that do not order. */
  readonly order: Precedence | null;
  /** Of `in [..]`; null for other operators, and where nothing was compared. */
  readonly among: ListRelation | null;
}

/** One element that a collection was asked about. */
export interface ElementExplanation {
  /** Its index in a list or its key in a map. */
  readonly key: string | number;
  readonly body: Explanation;
}

export interface CollectionExplanation extends Outcome {
  readonly kind: 'any' | 'all';
  readonly selector: string;
  readonly observed: ObservedValue | null;
  /** How many elements were looked at. */
  readonly examined: number;
  /** The element that decided; where none did, the first few. */
  readonly elements: readonly ElementExplanation[];
}

/** Why a filter holds for a row, or does not. */
export interface RowExplanation {
  readonly source: string;
  /** What `test` answers; null where it throws `error`. */
  readonly matches: boolean | null;
  readonly error: FilterError | null;
  /** What became of every part. */
  readonly tree: Explanation;
  /** The clauses that settled it, in source order: the one false operand of an `and`, or all that were true. */
  readonly decidedBy: readonly ClauseExplanation[];
  /** Literals that no value of their field's kind equals, whatever the row: probably not what was meant. */
  readonly notes: readonly UnequalLiteral[];
  /** For people: a line for each clause that decided, and the tree where there is more than one. Ends in a newline. */
  toString(): string;
}
