import type { MeaningErrorCode } from '../diagnostics/errors.js';
import type { MatchOperator } from '../syntax/ast.js';
import type { ValueKind } from '../values/kind.js';

/** The five tests behind the ten operators; the other five negate one of these. */
export type BaseOperator = '==' | 'in' | 'matches' | 'is empty' | 'is nil';

/** What a test does with a kind of value. */
export type Treatment =
  /** Compares, searches or measures the value as text. */
  | 'text'
  /** Coerces the literal to the value's kind and compares. */
  | 'coerce'
  /** Coerces the literal, and only then refuses: a literal of the wrong form is the earlier mistake. */
  | 'coerce-then-refuse'
  | 'elements'
  | 'keys'
  | 'size'
  /** True for nil, false for everything else. */
  | 'nil'
  | 'refuse';

/** One operator of the language. */
export interface OperatorRule {
  readonly operator: MatchOperator;
  readonly base: BaseOperator;
  readonly negated: boolean;
  /** How many operands it takes beside the selector. */
  readonly arity: 0 | 1;
  /** The answer where the last key of the path is missing from a map that exists. */
  readonly whenAbsent: boolean;
}

/** One test: the answer for an absent key, and what it does with each kind. */
export interface BaseRule {
  readonly whenAbsent: boolean;
  readonly refusal: MeaningErrorCode;
  readonly treatments: Readonly<Record<ValueKind, Treatment>>;
}

const refuseAll: Readonly<Record<ValueKind, Treatment>> = {
  nil: 'refuse',
  string: 'refuse',
  bool: 'refuse',
  int: 'refuse',
  float64: 'refuse',
  list: 'refuse',
  map: 'refuse',
  unsupported: 'refuse',
  uint: 'refuse',
  float32: 'refuse',
  time: 'refuse',
  array: 'refuse',
  struct: 'refuse',
  pointer: 'refuse',
};

/** THE operator table: what each test does with each kind of value. `grammar/operators.md` prints it. */
export const baseRules: Readonly<Record<BaseOperator, BaseRule>> = {
  '==': {
    whenAbsent: false,
    refusal: 'no-comparison',
    treatments: {
      ...refuseAll,
      string: 'text',
      time: 'text',
      bool: 'coerce',
      int: 'coerce',
      uint: 'coerce',
      float32: 'coerce',
      float64: 'coerce',
    },
  },
  in: {
    whenAbsent: false,
    refusal: 'no-contains',
    treatments: {
      ...refuseAll,
      string: 'text',
      time: 'text',
      list: 'elements',
      array: 'elements',
      map: 'keys',
      bool: 'coerce-then-refuse',
      int: 'coerce-then-refuse',
      uint: 'coerce-then-refuse',
      float32: 'coerce-then-refuse',
      float64: 'coerce-then-refuse',
    },
  },
  matches: {
    whenAbsent: false,
    refusal: 'no-match-text',
    treatments: { ...refuseAll, string: 'text', time: 'text' },
  },
  'is empty': {
    whenAbsent: true,
    refusal: 'no-empty',
    treatments: { ...refuseAll, string: 'size', time: 'size', list: 'size', array: 'size', map: 'size' },
  },
  'is nil': {
    whenAbsent: true,
    refusal: 'no-nil',
    treatments: { ...refuseAll, nil: 'nil', list: 'nil', map: 'nil', struct: 'nil', pointer: 'nil' },
  },
};

const rules: Readonly<Record<MatchOperator, OperatorRule>> = {
  '==': rule('==', '==', false),
  '!=': rule('!=', '==', true),
  in: rule('in', 'in', false),
  'not in': rule('not in', 'in', true),
  matches: rule('matches', 'matches', false),
  'not matches': rule('not matches', 'matches', true),
  'is empty': rule('is empty', 'is empty', false),
  'is not empty': rule('is not empty', 'is empty', true),
  'is nil': rule('is nil', 'is nil', false),
  'is not nil': rule('is not nil', 'is nil', true),
};

function rule(operator: MatchOperator, base: BaseOperator, negated: boolean): OperatorRule {
  const arity = base === 'is empty' || base === 'is nil' ? 0 : 1;
  return { operator, base, negated, arity, whenAbsent: baseRules[base].whenAbsent !== negated };
}

/** The rule of an operator. */
export function operatorRule(operator: MatchOperator): OperatorRule {
  return rules[operator];
}

/** Every operator's rule, in the order in which documents list them. */
export function allOperatorRules(): readonly OperatorRule[] {
  return Object.values(rules);
}

/** The answers of `any` and `all` where the collection is absent, empty or nil. */
export const emptyCollectionAnswer: Readonly<Record<'any' | 'all', boolean>> = { any: false, all: true };
