import type { SemanticErrorCode } from '../diagnostics/errors.js';
import type { ValueKind } from '../values/kind.js';
import type { OperandShape } from './operand-shape.js';

/**
 * Describes an operator: one test of a value, and its negation. Static facts only; evaluation is in `compile/operators`. Plain
 * data, so that bundles include only what they use.
 */
export interface Operator<
  Name extends string = string,
  Negation extends string | null = string | null,
  Taken extends OperandShape = OperandShape,
  Method extends string = string,
> {
  /** The name in trees: the canonical spelling. */
  readonly name: Name;
  /** The name of its negation in trees; null for an operator that only a preceding `not` negates. */
  readonly negation: Negation;
  /** The spellings, the canonical one first. */
  readonly spellings: readonly [Spelling, ...Spelling[]];
  readonly operand: Taken;
  /** `standard` if go-bexpr does not have the operator; its dialect then rejects it. */
  readonly dialect?: 'standard';
  /** The name under which `relaxations` reports the operator, if go-bexpr does not have it. */
  readonly extension?: Extension;
  /**
   * Which part must equal the operand for the operator to match: the value or a part of it; null if it does not test equality.
   */
  readonly equates: 'value' | 'part' | null;
  /** Whether the work is independent of the size of the value. If not, large values must be charged. */
  readonly isBounded: boolean;
  /** The result if the last key of the path is missing from an existing map. */
  readonly whenAbsent: boolean;
  /** The kinds of values that it supports, and how it treats them. It rejects all others. */
  readonly takes: Readonly<Partial<Record<ValueKind, OperandRule>>>;
  /** How level 1 treats the kinds that `takes` omits. Omitted if it rejects them, as level 0 does. */
  readonly levelOneTakes?: OperandRule;
  readonly refusal: Refusal;
  readonly phrases: Phrases;
  /** The methods of the condition builder: the operator's and its negation's. */
  readonly methods: readonly [plain: Method, negated?: Method];
  /** Alternative method name for times, such as `after` instead of `above`. */
  readonly timeMethod?: Method;
}

/** A spelling of an operator. In the `list` position it ends with `[..]`, which denotes the list. */
export interface Spelling {
  /** Words separated by single spaces, or a sign: `is empty`, `==`. */
  readonly text: string;
  /** The spelling of the negation: `is not empty`, `!=`; null if none exists. */
  readonly negation: string | null;
  /**
   * Position of the operator: between selector and value, after a selector without a value, between value and selector, or before
   * a list.
   */
  readonly position: 'infix' | 'postfix' | 'reversed' | 'list';
}

/** The operators that go-bexpr lacks, by what they test. */
export type Extension = 'ordering' | 'value-list' | 'affix' | 'glob';

/** How an operator treats a kind of value. */
export type OperandRule =
  /** Compares, searches or measures the value as a string. */
  | 'text'
  /** Coerces the literal to the value's kind and compares. */
  | 'coerce'
  /** Converts the value and the literals to the order of the kind and compares there. */
  | 'order'
  /** Coerces the literal, then rejects the value: an invalid literal is reported first. */
  | 'coerce-then-refuse'
  | 'elements'
  | 'keys'
  | 'size'
  /** True for nil, false for everything else. */
  | 'nil'
  | 'refuse';

/** The error for a kind of value that an operator does not support. */
export interface Refusal {
  readonly code: SemanticErrorCode;
  /** Returns go-bexpr's message. `kind` is Go's name of the kind, `selector` is quoted. */
  readonly message: (kind: string, selector: string) => string;
  readonly hint: string;
}

/** Short descriptions of an operator and its negation. They follow the field's name (for a reversed spelling the value). */
export type Phrase = readonly [plain: string, negated: string];

export interface Phrases extends Readonly<Partial<Record<OperandRule, Phrase>>> {
  readonly default: Phrase;
  /** The descriptions for the reversed spelling. */
  readonly reversed?: Phrase;
}

/** Returns one rule for numbers of every kind. */
export function forNumbers(
  rule: OperandRule,
): Pick<Operator['takes'], 'int' | 'uint' | 'float32' | 'float64'> {
  return { int: rule, uint: rule, float32: rule, float64: rule };
}

/** Whether the operator tests the position of a value in the order of its kind. */
export function requiresOrder({ takes }: Operator): boolean {
  return takes.int === 'order';
}

/** Returns how an operator treats values of a kind. */
export function operandRuleOf(
  { takes, levelOneTakes }: Operator,
  kind: ValueKind,
  level: 0 | 1 = 1,
): OperandRule {
  return takes[kind] ?? (level === 1 ? levelOneTakes : undefined) ?? 'refuse';
}
