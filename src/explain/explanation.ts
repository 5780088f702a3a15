import type { FilterError } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { MatchOperator } from '../syntax/ast.js';
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
  readonly holds: boolean | null;
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
  /** `pattern` behind `matches`, `any` where each element decides; else the kind. */
  readonly kind: 'string' | 'time' | 'bool' | 'int' | 'uint' | 'float32' | 'float64' | 'pattern' | 'any';
  /** Text in quotes, numbers and booleans bare. */
  readonly text: string;
}

export interface MatchExplanation extends Outcome {
  readonly kind: 'match';
  readonly operator: MatchOperator;
  /** The selector in canonical spelling. */
  readonly selector: string;
  /** What the selector led to; null where it led nowhere (`error` tells why) or was not followed. */
  readonly met: ObservedValue | null;
  /** Null for operators without a value, and where nothing was compared. */
  readonly literal: ComparedLiteral | null;
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
  readonly met: ObservedValue | null;
  /** How many elements were looked at. */
  readonly examined: number;
  /** The element that decided; where none did, the first few. */
  readonly elements: readonly ElementExplanation[];
}
