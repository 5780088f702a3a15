import type { OperatorName } from '../../operators/operators.js';
import type { OperatorBehaviour } from './behaviour.js';
import { containment } from './containment.js';
import { emptiness } from './emptiness.js';
import { equality } from './equality.js';
import { nilness } from './nilness.js';
import { patternMatch } from './pattern-match.js';

/** Of an operator whose tests are not there yet. */
const none: OperatorBehaviour = {
  createTest(): never {
    throw new Error('no behaviour');
  },
  chooseCheck: () => null,
  indexKeys: () => null,
};

/** What each operator does with rows. */
export const behaviours: Readonly<Record<OperatorName, OperatorBehaviour>> = {
  '==': equality,
  in: containment,
  matches: patternMatch,
  '<': none,
  '<=': none,
  '>': none,
  '>=': none,
  'in [..]': none,
  'starts with': none,
  'ends with': none,
  like: none,
  'is empty': emptiness,
  'is nil': nilness,
};
