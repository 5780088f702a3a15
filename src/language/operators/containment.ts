import { literal } from './operand-shape.js';
import { forNumbers, type Operator } from './operator.js';

/** `in`, and `contains` with swapped sides: an element of a list, a key of a map, a substring. */
export const containment: Operator<'in', 'not in', typeof literal, 'contains' | 'notContains'> = {
  name: 'in',
  negation: 'not in',
  spellings: [
    { text: 'in', negation: 'not in', position: 'reversed' },
    { text: 'contains', negation: 'not contains', position: 'infix' },
  ],
  operand: literal,
  equates: 'part',
  isBounded: false,
  whenAbsent: false,
  takes: {
    string: 'text',
    time: 'text',
    list: 'elements',
    array: 'elements',
    map: 'keys',
    bool: 'coerce-then-refuse',
    ...forNumbers('coerce-then-refuse'),
  },
  refusal: {
    code: 'no-contains',
    message: (kind, selector) =>
      `cannot perform in/contains operations on type ${kind} for selector: ${selector}`,
    hint: 'in and contains search strings, lists and maps',
  },
  phrases: {
    default: ['has the element, key or text', 'lacks the element, key or text'],
    elements: ['has an element equal to the value', 'has no such element'],
    keys: ['has the value as a key', 'lacks the key'],
    text: ['contains the text', 'does not contain the text'],
    reversed: ['is an element, key or part of', 'is no element, key or part of'],
  },
  methods: ['contains', 'notContains'],
};
