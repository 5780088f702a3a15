import type { OperatorName } from '../../../language/operators/operators.js';
import { prefix, suffix } from './affix.js';
import type { OperatorBehaviour } from './behaviour.js';
import { containment } from './containment.js';
import { emptiness } from './emptiness.js';
import { equality } from './equality.js';
import { glob } from './glob.js';
import { membership } from './membership.js';
import { nilness } from './nilness.js';
import { ordering } from './ordering.js';
import { patternMatch } from './pattern-match.js';

/** The evaluation of each operator. */
export const behaviours: Readonly<Record<OperatorName, OperatorBehaviour>> = {
  '==': equality,
  in: containment,
  matches: patternMatch,
  '<': ordering('<'),
  '<=': ordering('<='),
  '>': ordering('>'),
  '>=': ordering('>='),
  'in [..]': membership,
  'starts with': prefix,
  'ends with': suffix,
  like: glob,
  'is empty': emptiness,
  'is nil': nilness,
};
