import { setAccelerator } from '../filter/filter.js';
import { enableHints } from './hints.js';
import { createSpecialise } from '../filter/specialise/specialise.js';

/**
 * Hands in what bundles for browsers leave out: hints, and code by shape, which has no compiler there. The package does so
 * itself, everywhere but there; a program that has the sources of the engine in it begins with it.
 */
export function installDefaults(): void {
  enableHints();
  setAccelerator(createSpecialise());
}
