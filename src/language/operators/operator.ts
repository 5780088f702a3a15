import type { SemanticErrorCode } from '../diagnostics/errors.js';
import type { ValueKind } from '../values/kind.js';
import type { OperandShape } from './operand-shape.js';

/**
 * An operator: one test of a value, and its negation. All that is known of it without running it; what it does with
 * rows stands in `compile/operators`. Plain data, so that a program takes on only what it asks for.
 */
export interface Operator<
  Name extends string = string,
  Negation extends string | null = string | null,
  Taken extends OperandShape = OperandShape,
  Method extends string = string,
> {
  /** The operator in trees: its canonical text. */
  readonly name: Name;
  /** Its negation in trees; null for an operator that only `not` in front of the match negates. */
  readonly negation: Negation;
  /** The ways to write it, the canonical one first. */
  readonly spellings: readonly [Spelling, ...Spelling[]];
  readonly operand: Taken;
  /** `standard` where go-bexpr does not have it: that dialect then refuses it. */
  readonly dialect?: 'standard';
  /** Under which name `relaxations` notes it, where go-bexpr does not have it. */
  readonly extension?: Extension;
  /** What of the value has to equal the operand where the operator holds; null where equality is not what it asks. */
  readonly equates: 'value' | 'part' | null;
  /** False where the work grows with the size of the value, so that large values have to be paid for. */
  readonly isBounded: boolean;
  /** The answer where the last key of the path is missing from a map that exists. */
  readonly whenAbsent: boolean;
  /** The kinds of values that it takes, and what it does with them. All others it refuses. */
  readonly takes: Readonly<Partial<Record<ValueKind, OperandRule>>>;
  readonly refusal: Refusal;
  readonly phrases: Phrases;
  /** The methods of the condition builder, the operator's and its negation's. */
  readonly methods: readonly [plain: Method, negated?: Method];
  /** What the method is called as well, where people say something else of times: after, not above. */
  readonly timeMethod?: Method;
}

/** One way to write an operator. In the `list` position the text ends with `[..]`, where the list stands. */
export interface Spelling {
  /** Words with one blank between them, or a sign: `is empty`, `==`. */
  readonly text: string;
  /** The negation in the same manner: `is not empty`, `!=`. */
  readonly negation: string | null;
  /** Between selector and value, behind the selector without a value, between value and selector, or before a list. */
  readonly position: 'infix' | 'postfix' | 'reversed' | 'list';
}

/** The operators that go-bexpr does not have, by what they ask. */
export type Extension = 'ordering' | 'value-list' | 'affix' | 'glob';

/** What an operator does with a kind of value. */
export type OperandRule =
  /** Compares, searches or measures the value as text. */
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

/** What an operator and its negation ask, in a few words behind the field's name (for a reversed spelling the value). */
export type Phrase = readonly [plain: string, negated: string];

export interface Phrases extends Readonly<Partial<Record<OperandRule, Phrase>>> {
  readonly usual: Phrase;
  /** For the reversed spelling. */
  readonly reversed?: Phrase;
}

/** Whether the operator asks where a value stands in the order of its kind. */
export function asksOrder({ takes }: Operator): boolean {
  return takes.int === 'order';
}

/** What an operator does with values of a kind. */
export function operandRuleOf({ takes }: Operator, kind: ValueKind): OperandRule {
  return takes[kind] ?? 'refuse';
}
