import { nothing } from './operand-shape.js';
import type { Operator } from './operator.js';

/** `is nil`: the list, map, struct or nullable value is null. */
export const nilness: Operator<'is nil', 'is not nil', typeof nothing, 'isNil' | 'isNotNil'> = {
  name: 'is nil',
  negation: 'is not nil',
  spellings: [{ text: 'is nil', negation: 'is not nil', position: 'postfix' }],
  operand: nothing,
  equates: null,
  isBounded: true,
  whenAbsent: true,
  takes: { nil: 'nil', list: 'nil', map: 'nil', struct: 'nil', pointer: 'nil' },
  refusal: {
    code: 'no-nil',
    message: (kind, selector) => `cannot perform is-nil operations on type ${kind} for selector: ${selector}`,
    hint: 'is nil asks about lists, maps and what may be null; whether a map has a key asks "key" in M',
  },
  phrases: { default: ['is null', 'is not null'] },
  methods: ['isNil', 'isNotNil'],
};
