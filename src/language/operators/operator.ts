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
  /** The operator in trees: its canonical spelling. */
  readonly name: Name;
  /** Its negation in trees; null for an operator that only `not` in front of the match negates. */
  readonly negation: Negation;
  /** The ways to write it, the canonical one first. */
  readonly spellings: readonly [Spelling, ...Spelling[]];
  readonly operand: Taken;
  /** `standard` if go-bexpr does not have the operator; its dialect then rejects it. */
  readonly dialect?: 'standard';
  /** The name under which `relaxations` reports the operator, if go-bexpr does not have it. */
  readonly extension?: Extension;
  /** What must equal the operand when the operator holds: the value or a part of it; null if it does not test equality. */
  readonly equates: 'value' | 'part' | null;
  /** False if the work grows with the size of the value, so that large values must be charged for. */
  readonly isBounded: boolean;
  /** The result if the last key of the path is missing from an existing map. */
  readonly whenAbsent: boolean;
  /** The kinds of values that it takes, and what it does with them. All others it refuses. */
  readonly takes: Readonly<Partial<Record<ValueKind, OperandRule>>>;
  /** What level 1 does with the kinds that `takes` omits. Omitted if it rejects them, as level 0 does. */
  readonly levelOneTakes?: OperandRule;
  readonly refusal: Refusal;
  readonly phrases: Phrases;
  /** The methods of the condition builder, the operator's and its negation's. */
  readonly methods: readonly [plain: Method, negated?: Method];
  /** Alternative method name for times, such as `after` instead of `above`. */
  readonly timeMethod?: Method;
}

/** One way to write an operator. In the `list` position the spelling ends with `[..]`, which denotes the list. */
export interface Spelling {
  /** Words with one blank between them, or a sign: `is empty`, `==`. */
  readonly text: string;
  /** The negation in the same manner: `is not empty`, `!=`. */
  readonly negation: string | null;
  /** Between selector and value, after a selector without a value, between value and selector, or before a list. */
  readonly position: 'infix' | 'postfix' | 'reversed' | 'list';
}

/** The operators that go-bexpr does not have, by what they test. */
export type Extension = 'ordering' | 'value-list' | 'affix' | 'glob';

/** What an operator does with a kind of value. */
export type OperandRule =
  /** Compares, searches or measures the value as a string. */
  | 'text'
  /** Coerces the literal to the value's kind and compares. */
  | 'coerce'
  /** Brings the value and the literals into the order of the kind and compares there. */
  | 'order'
  /** Coerces the literal, and only then refuses: a literal of the wrong form is the earlier mistake. */
  | 'coerce-then-refuse'
  | 'elements'
  | 'keys'
  | 'size'
  /** True for nil, false for everything else. */
  | 'nil'
  | 'refuse';

/** The error for a kind of value that an operator does not take. */
export interface Refusal {
  readonly code: SemanticErrorCode;
  /** In the words of go-bexpr. `kind` is Go's name of the kind, `selector` is quoted. */
  readonly message: (kind: string, selector: string) => string;
  readonly hint: string;
}

/** What an operator and its negation test, in a few words that follow the field's name (for a reversed spelling the value). */
export type Phrase = readonly [plain: string, negated: string];

export interface Phrases extends Readonly<Partial<Record<OperandRule, Phrase>>> {
  readonly default: Phrase;
  /** For the reversed spelling. */
  readonly reversed?: Phrase;
}

/** Whether the operator tests the position of a value in the order of its kind. */
export function requiresOrder({ takes }: Operator): boolean {
  return takes.int === 'order';
}

/** What an operator does with values of a kind. */
export function operandRuleOf(
  { takes, levelOneTakes }: Operator,
  kind: ValueKind,
  level: 0 | 1 = 1,
): OperandRule {
  return takes[kind] ?? (level === 1 ? levelOneTakes : undefined) ?? 'refuse';
}
