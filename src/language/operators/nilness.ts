import { noOperand } from './operand-shape.js';
import type { Operator } from './operator.js';

/** `is nil`: the value is null. Level 0 tests only lists, maps, structs and null. */
export const nilness: Operator<'is nil', 'is not nil', typeof noOperand, 'isNil' | 'isNotNil'> = {
  name: 'is nil',
  negation: 'is not nil',
  spellings: [{ text: 'is nil', negation: 'is not nil', position: 'postfix' }],
  operand: noOperand,
  equates: null,
  isBounded: true,
  whenAbsent: true,
  takes: { nil: 'nil', list: 'nil', map: 'nil', struct: 'nil', pointer: 'nil' },
  levelOneTakes: 'nil',
  refusal: {
    code: 'no-nil',
    message: (kind, selector) => `cannot perform is-nil operations on type ${kind} for selector: ${selector}`,
    hint: 'is nil tests values that can be null; to test whether a map has a key use "key" in M',
  },
  phrases: { default: ['is null', 'is not null'] },
  methods: ['isNil', 'isNotNil'],
};
