import { adviseBy } from '../language/syntax/advice.js';
import { advise } from '../language/hints/advise.js';

/**
 * Enables the `hint` and `suggestions` of syntax errors in the whole package. They are enabled by default except in browser
 * bundles, which would grow by 18 kB. Calling it again has no effect.
 */
export function enableHints(): void {
  adviseBy(advise);
}
