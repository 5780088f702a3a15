import { setAccelerator } from '../filter/filter.js';
import { enableHints } from './hints.js';
import { createSpecialise } from '../filter/specialise/specialise.js';

/**
 * Installs what browser bundles omit: hints, and filters specialised by the shape of rows. Other builds of the package do so
 * themselves. A program that bundles the engine's sources must call this first.
 */
export function installDefaults(): void {
  enableHints();
  setAccelerator(createSpecialise());
}
