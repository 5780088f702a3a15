import { valueKindOf } from '../../../language/schema/value-kind.js';
import type { OperatorBehaviour } from './behaviour.js';

/** `is nil`. */
export const nilness: OperatorBehaviour = {
  createTest(_, type) {
    const kind = valueKindOf(type);
    // Nullable values were tested before. Of the other types, only lists and maps can be null; all others have a zero value.
    return kind !== 'list' && kind !== 'map' ? () => false : (value) => value === null || value === undefined;
  },
  chooseCheck: () => null,
  indexKeys: () => null,
};
