import { valueKindOf } from '../../../language/schema/value-kind.js';
import type { OperatorBehaviour } from './behaviour.js';

/** `is nil`. */
export const nilness: OperatorBehaviour = {
  createTest(_, type) {
    const kind = valueKindOf(type);
    // A struct that may be nil was tested before; one that may not is never nil.
    return kind === 'struct' || kind === 'pointer'
      ? () => false
      : (value) => value === null || value === undefined;
  },
  chooseCheck: () => null,
  indexKeys: () => null,
};
