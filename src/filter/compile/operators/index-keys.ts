import { atKey, type KeyRange } from '../frame/key-range.js';
import type { IndexRequest, RangeRequest } from './behaviour.js';

/** Returns the index keys of rows whose field equals one of the literals. */
export function keysOfAny({ literals, isMultiple, keyOf }: IndexRequest): readonly string[] | null {
  if (isMultiple || literals.some(({ ignoreCase }) => ignoreCase)) return null;
  return literals.map(keyOf).filter((key) => key !== null);
}

/** Returns the same rows as ranges of an ordered index. */
export function pointsOfAny({ literals, boundOf }: RangeRequest): readonly KeyRange[] | null {
  const points: KeyRange[] = [];
  for (const literal of literals) {
    const bound = boundOf(literal);
    if (bound === null) return null;
    if (bound?.isExact === true) points.push(atKey(bound.key));
  }
  return points;
}
