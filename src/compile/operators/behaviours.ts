import type { OperatorName } from '../../operators/operators.js';
import type { OperatorBehaviour } from './behaviour.js';
import { containment } from './containment.js';
import { emptiness } from './emptiness.js';
import { equality } from './equality.js';
import { nilness } from './nilness.js';
import { patternMatch } from './pattern-match.js';

/** What each operator does with rows. */
export const behaviours: Readonly<Record<OperatorName, OperatorBehaviour>> = {
  '==': equality,
  in: containment,
  matches: patternMatch,
  'is empty': emptiness,
  'is nil': nilness,
};
