import { enableHints } from './hints/index.js';
import { accelerateBy } from './filter.js';
import { createSpecialise } from './specialise/specialise.js';

/** Hands in what bundles for browsers leave out: hints, and code by shape, which has no compiler there. */
export function equip(): void {
  enableHints();
  accelerateBy(createSpecialise());
}
