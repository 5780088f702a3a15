import { compileFilter, FilterError, parse, type FilterOptions } from '../index.js';
import { applySuggestion, lint } from '../entries/lint.js';
import type { Language } from '../language/parse.js';

/** Most corrections of one expression. */
const maxSteps = 16;

/**
 * The expression with what `lint` corrects of it, one finding after another, where there is exactly one way and no guess. What is not
 * portable stays: `fmt --portable` writes that. A correction that would be refused is none.
 */
export function applyAllFixes(source: string, options: FilterOptions, language: Language): string {
  const { schema } = options;
  const seen = new Set([source]);
  let text = source;
  for (let step = 0; step < maxSteps; step += 1) {
    const next = lint(parse(text, language), { schema, ...language })
      .filter(({ code, suggestions: [only, ...others] }) => {
        return code !== 'not-portable' && only !== undefined && others.length === 0 && only.isGuess !== true;
      })
      .map(({ suggestions: [only] }) => (only === undefined ? text : applySuggestion(text, only)))
      .find((corrected) => !seen.has(corrected) && isAccepted(corrected, options));
    if (next === undefined) return text;
    seen.add(next);
    text = next;
  }
  return text;
}

function isAccepted(source: string, options: FilterOptions): boolean {
  try {
    compileFilter(source, options);
    return true;
  } catch (error) {
    if (error instanceof FilterError) return false;
    throw error;
  }
}
