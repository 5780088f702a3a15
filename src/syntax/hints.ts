import type { Suggestion } from '../diagnostics/errors.js';
import type { Failure } from './failure.js';

/** What a rule may look at. */
export interface Circumstances {
  readonly source: string;
  readonly failure: Failure;
  readonly found: string;
}

/** What a rule may say: whatever it leaves out stays as it is. */
export interface Advice {
  readonly label?: string;
  readonly hint?: string;
  readonly suggestions?: readonly Suggestion[];
}

/** Looks at a refusal and knows better, or returns null. */
type HintRule = (circumstances: Circumstances) => Advice | null;

/** The first rule that answers is heard. */
const rules: readonly HintRule[] = [];

export function advise(circumstances: Circumstances): Advice | null {
  for (const rule of rules) {
    const advice = rule(circumstances);
    if (advice !== null) return advice;
  }
  return null;
}
