import { setHintProvider } from '../language/syntax/advice.js';
import { provideHint } from '../language/hints/hint-provider.js';

/**
 * Enables the `hint` and `suggestions` of syntax errors in the whole package. They are enabled by default except in browser
 * bundles, which would grow by 18 kB. Calling it again has no effect.
 */
export function enableHints(): void {
  setHintProvider(provideHint);
}
