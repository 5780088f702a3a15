import { noOperand } from './operand-shape.js';
import type { Operator } from './operator.js';

/** `is empty`: no characters, elements or keys. */
export const emptiness: Operator<'is empty', 'is not empty', typeof noOperand, 'isEmpty' | 'isNotEmpty'> = {
  name: 'is empty',
  negation: 'is not empty',
  spellings: [{ text: 'is empty', negation: 'is not empty', position: 'postfix' }],
  operand: noOperand,
  equates: null,
  isBounded: false,
  whenAbsent: true,
  takes: { string: 'size', time: 'size', list: 'size', array: 'size', map: 'size' },
  refusal: {
    code: 'no-empty',
    message: (kind, selector) =>
      `cannot perform is-empty operations on type ${kind} for selector: ${selector}`,
    hint: 'is empty applies to strings, lists and maps; compare numbers and booleans with == or !=',
  },
  phrases: { default: ['has no elements, keys or characters', 'has elements, keys or characters'] },
  methods: ['isEmpty', 'isNotEmpty'],
};
