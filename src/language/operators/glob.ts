import { globText } from './operand-shape.js';
import type { Operator } from './operator.js';

/** `like`: the whole string matches a glob, in which `*` matches any run of characters and `?` any single one. */
export const glob: Operator<'like', 'not like', typeof globText, 'like' | 'notLike'> = {
  name: 'like',
  negation: 'not like',
  spellings: [{ text: 'like', negation: 'not like', position: 'infix' }],
  operand: globText,
  dialect: 'standard',
  extension: 'glob',
  equates: null,
  isBounded: false,
  whenAbsent: false,
  takes: { string: 'text', time: 'text' },
  refusal: {
    code: 'no-glob',
    message: (kind, selector) => `cannot perform like operations on type ${kind} for selector: ${selector}`,
    hint: 'like applies to strings only',
  },
  phrases: { default: ['is text of the form', 'is no text of the form'] },
  methods: ['like', 'notLike'],
};
