import { prefix, suffix } from './affix.js';
import { containment } from './containment.js';
import { emptiness } from './emptiness.js';
import { equality } from './equality.js';
import { glob } from './glob.js';
import { membership } from './membership.js';
import { nilness } from './nilness.js';
import type { OperandShape } from './operand-shape.js';
import type { Operator, Spelling } from './operator.js';
import { above, minCheck, maxCheck, below } from './ordering.js';
import { patternMatch } from './pattern-match.js';

/** The list of all operators, in the order of documentation and completion. */
export const operators = [
  equality,
  below,
  maxCheck,
  above,
  minCheck,
  membership,
  containment,
  prefix,
  suffix,
  glob,
  patternMatch,
  emptiness,
  nilness,
] as const;

/** One of {@link operators}. */
export type ListedOperator = (typeof operators)[number];

/** The operators by the names of their positive forms, which are the keys of operator tables. */
export type OperatorName = ListedOperator['name'];

/** The operators of a match, negations included, each in its canonical spelling. */
export type MatchOperator = BinaryOperator | UnaryOperator;
export type BinaryOperator = FormName<Exclude<ListedOperator, WithoutOperand>>;
export type UnaryOperator = FormName<Extract<ListedOperator, WithoutOperand>>;

type WithoutOperand = { readonly operand: { readonly operands: 'none' } };
type FormName<Each extends ListedOperator> = NonNullable<Each['name' | 'negation']>;

/** The methods of the condition builder that create a match. */
export type OperatorMethod = NonNullable<ListedOperator['methods'][number]>;

/** One form of an operator: itself or its negation. */
export interface OperatorForm {
  readonly name: MatchOperator;
  readonly operator: ListedOperator;
  readonly negated: boolean;
  /** The methods of the condition builder; empty if none exist. */
  readonly methods: readonly OperatorMethod[];
  /** The result of this form if the last key of the path is missing from an existing map. */
  readonly whenAbsent: boolean;
}

let forms: ReadonlyMap<string, OperatorForm> | null = null;

/** Returns the operator form with the given name in a match. */
export function formOf(name: MatchOperator): OperatorForm {
  return formsByName().get(name) as OperatorForm;
}

/** Whether a value is the name of an operator or of its negation. */
export function isMatchOperator(value: unknown): value is MatchOperator {
  return typeof value === 'string' && formsByName().has(value);
}

/** Whether a match with the operator has a value. */
export function takesValue(name: MatchOperator): name is BinaryOperator {
  return formOf(name).operator.operand.operands !== 'none';
}

/** Whether `len(...)` can precede the operator, that is, whether it compares numbers. */
export function takesLength(name: MatchOperator): boolean {
  const { operand, equates } = formOf(name).operator;
  return operand.dependsOnQuotes || equates === 'value';
}

/** Returns all forms: each operator followed by its negation. */
export function operatorForms(): readonly OperatorForm[] {
  return [...formsByName().values()];
}

// Built lazily: code that runs when a module is loaded cannot be removed from bundles.
function formsByName(): ReadonlyMap<string, OperatorForm> {
  return (forms ??= new Map(operators.flatMap(formsOf).map((form) => [form.name, form])));
}

function formsOf(operator: ListedOperator): OperatorForm[] {
  const {
    name,
    negation,
    whenAbsent,
    methods: [method, negatedMethod],
    timeMethod,
  }: Operator<OperatorName, MatchOperator | null, OperandShape, OperatorMethod> = operator;
  const methods = timeMethod === undefined ? [method] : [method, timeMethod];
  const plain = { name, operator, negated: false, whenAbsent, methods };
  if (negation === null) return [plain];
  return [
    plain,
    {
      name: negation,
      operator,
      negated: true,
      whenAbsent: !whenAbsent,
      methods: negatedMethod === undefined ? [] : [negatedMethod],
    },
  ];
}

/** A spelling of an operator form. */
export interface WrittenForm extends Pick<Spelling, 'position'> {
  readonly text: string;
  readonly operator: MatchOperator;
}

/** Returns all spellings of all forms, the canonical one of each first: `contains` is a spelling of `in`. */
export function writtenForms(): readonly WrittenForm[] {
  return operatorForms().flatMap(({ name, operator, negated }) =>
    operator.spellings.flatMap(({ text, negation, position }) => {
      const written = negated ? negation : text;
      return written === null ? [] : [{ text: written, operator: name, position }];
    }),
  );
}
