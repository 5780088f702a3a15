import { adviseBy } from '../language/syntax/advice.js';
import { advise } from '../language/hints/advise.js';

/**
 * Makes errors about texts that are no filters tell what was probably meant: their `hint` and `suggestions`, in all of the
 * package, from now on. They do so from the start everywhere but in bundles for browsers, which would have to load 18 kB
 * for it. Calling it again changes nothing.
 */
export function enableHints(): void {
  adviseBy(advise);
}
