import { valueList } from './operand-shape.js';
import { forNumbers, type Operator } from './operator.js';

/** `in [..]`: the value equals an element of a list of literals. */
export const membership: Operator<'in [..]', 'not in [..]', typeof valueList, 'oneOf' | 'noneOf'> = {
  name: 'in [..]',
  negation: 'not in [..]',
  spellings: [{ text: 'in [..]', negation: 'not in [..]', position: 'list' }],
  operand: valueList,
  dialect: 'standard',
  extension: 'value-list',
  equates: 'value',
  isBounded: true,
  whenAbsent: false,
  takes: { string: 'text', time: 'text', ...forNumbers('coerce') },
  refusal: {
    code: 'no-membership',
    message: (kind, selector) => `cannot look up values of type ${kind} in a list for selector: ${selector}`,
    hint: 'in [..] compares strings and numbers; for the elements of a list, write any L as x { x in ["a"] }',
  },
  phrases: { default: ['is one of the values', 'is not one of the values'] },
  methods: ['oneOf', 'noneOf'],
};
