import { literal } from './operand-shape.js';
import { forNumbers, type Operator } from './operator.js';

/** `==` and `!=`: the value equals the literal, which is converted to the kind of the field. */
export const equality: Operator<'==', '!=', typeof literal, 'is' | 'isNot'> = {
  name: '==',
  negation: '!=',
  spellings: [{ text: '==', negation: '!=', position: 'infix' }],
  operand: literal,
  equates: 'value',
  isBounded: true,
  whenAbsent: false,
  takes: { string: 'text', time: 'text', bool: 'coerce', ...forNumbers('coerce') },
  refusal: {
    code: 'no-comparison',
    message: () => 'unable to find suitable primitive comparison function for matching',
    hint: '== and != compare strings, numbers and booleans; use in for lists and maps, is nil for nullable fields',
  },
  phrases: { default: ['is equal to the value', 'is not equal to the value'] },
  methods: ['is', 'isNot'],
};
