import fc from 'fast-check';
import { type Draw, replay } from './draw.js';

/** What a function draws, for properties. Shrinks towards fewer and simpler choices. */
export function drawn<T>(make: (draw: Draw) => T): fc.Arbitrary<T> {
  const choices = fc.array(fc.nat({ max: 999 }), { minLength: 10, maxLength: 120, size: 'max' });
  return choices.map((list) => make(replay(list)));
}
