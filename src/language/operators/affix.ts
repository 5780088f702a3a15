import { literal } from './operand-shape.js';
import type { Operator } from './operator.js';

const affix = {
  operand: literal,
  dialect: 'standard',
  extension: 'affix',
  equates: 'part',
  isBounded: true,
  whenAbsent: false,
  takes: { string: 'text', time: 'text' },
  refusal: {
    code: 'no-affix',
    message: (kind, selector) =>
      `cannot look at the beginning or end of type ${kind} for selector: ${selector}`,
    hint: 'starts with and ends with apply to strings only; use in for lists and maps',
  },
} as const satisfies Partial<Operator>;

/** `starts with`: the string begins with the literal. */
export const prefix: Operator<
  'starts with',
  'not starts with',
  typeof literal,
  'startsWith' | 'notStartsWith'
> = {
  name: 'starts with',
  negation: 'not starts with',
  spellings: [{ text: 'starts with', negation: 'not starts with', position: 'infix' }],
  ...affix,
  phrases: { default: ['begins with the text', 'does not begin with the text'] },
  methods: ['startsWith', 'notStartsWith'],
};

/** `ends with`: the string ends with the literal. */
export const suffix: Operator<'ends with', 'not ends with', typeof literal, 'endsWith' | 'notEndsWith'> = {
  name: 'ends with',
  negation: 'not ends with',
  spellings: [{ text: 'ends with', negation: 'not ends with', position: 'infix' }],
  ...affix,
  phrases: { default: ['ends with the text', 'does not end with the text'] },
  methods: ['endsWith', 'notEndsWith'],
};
