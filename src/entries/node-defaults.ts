import { setAccelerator } from '../filter/filter.js';
import { enableHints } from './hints.js';
import { createSpecialise } from '../filter/specialise/specialise.js';

/**
 * Installs what browser bundles omit: hints, and filters specialised by the shape of rows. The package does so
 * itself, everywhere but there; a program that has the sources of the engine in it begins with it.
 */
export function installDefaults(): void {
  enableHints();
  setAccelerator(createSpecialise());
}
