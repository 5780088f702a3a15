import { pattern } from './operand-shape.js';
import type { Operator } from './operator.js';

/** `matches`: an RE2 pattern matches somewhere in the string. */
export const patternMatch: Operator<'matches', 'not matches', typeof pattern, 'matches' | 'notMatches'> = {
  name: 'matches',
  negation: 'not matches',
  spellings: [{ text: 'matches', negation: 'not matches', position: 'infix' }],
  operand: pattern,
  equates: null,
  isBounded: false,
  whenAbsent: false,
  takes: { string: 'text', time: 'text' },
  refusal: {
    code: 'no-match-text',
    message: (kind) => `value of type ${kind} is not convertible to []byte`,
    hint: 'matches applies to strings only',
  },
  phrases: { default: ['has text that the pattern matches', 'has no text that the pattern matches'] },
  methods: ['matches', 'notMatches'],
};
