import { bound } from './operand-shape.js';
import { forNumbers, type Operator } from './operator.js';

type OrderingName = '<' | '<=' | '>' | '>=';
type OrderingMethod = 'below' | 'atMost' | 'above' | 'atLeast' | 'before' | 'after';

// Four operators, not two: a value without a position in the order, such as NaN, satisfies neither `<` nor `>=`.

/** `<`: the value precedes the bound in the order of its kind. */
export const below = ordering('<', ['below', 'before'], 'is less than');
/** `<=`. */
export const maxCheck = ordering('<=', ['atMost'], 'is at most');
/** `>`. */
export const above = ordering('>', ['above', 'after'], 'is more than');
/** `>=`. */
export const minCheck = ordering('>=', ['atLeast'], 'is at least');

function ordering<Name extends OrderingName, Method extends OrderingMethod>(
  name: Name,
  [method, timeMethod]: readonly [Method, timeMethod?: Method],
  words: string,
): Operator<Name, null, typeof bound, Method> {
  return {
    name,
    negation: null,
    spellings: [{ text: name, negation: null, position: 'infix' }],
    operand: bound,
    dialect: 'standard',
    extension: 'ordering',
    equates: null,
    isBounded: false,
    whenAbsent: false,
    takes: { string: 'order', time: 'order', ...forNumbers('order') },
    refusal: {
      code: 'no-ordering',
      message: (kind, selector) => `cannot order values of type ${kind} for selector: ${selector}`,
      hint: 'orderings compare numbers, strings, times, sizes and addresses; for lists and maps, use len(...) or any',
    },
    phrases: { default: [`${words} the value`, `is not ${words.slice(3)} the value`] },
    methods: [method],
    ...(timeMethod === undefined ? {} : { timeMethod }),
  };
}
