import {
  FilterCheckError,
  FilterLimitError,
  FilterSyntaxError,
  type Suggestion,
} from '../diagnostics/errors.js';
import { defaultLimits } from '../diagnostics/limits.js';
import { checkExpression } from '../schema/check.js';
import { createPatternTable } from '../schema/pattern-table.js';
import type { Schema } from '../schema/schema.js';
import { anyType } from '../schema/type.js';
import { parse, type ParseOptions } from '../syntax/parse.js';

/** A text with one correction in it. */
export function applySuggestion(source: string, { span, replacement }: Suggestion): string {
  return source.slice(0, span.start) + replacement + source.slice(span.end);
}

/** A filter made of a text that is none. */
export interface Correction {
  readonly source: string;
  /** What was corrected, in this order; each span belongs to the text that the ones before it left behind. */
  readonly applied: readonly Suggestion[];
  /** True where every mistake had one correction only, so that nothing was chosen. */
  readonly isOnlyOne: boolean;
}

/** Most mistakes that are corrected in one text. More than these are not slips. */
const mostSteps = 16;

/**
 * Corrects a text that is refused, mistake by mistake, until it is accepted: the first suggestion of each error is taken.
 * Null where a mistake has none, and where the text needs no correction.
 */
export function correct(
  source: string,
  schema: Schema | null = null,
  options: ParseOptions = {},
): Correction | null {
  const applied: Suggestion[] = [];
  const seen = new Set([source]);
  let isOnlyOne = true;
  let text = source;
  while (applied.length < mostSteps) {
    const error = firstError(text, schema, options);
    if (error === null) return applied.length === 0 ? null : { source: text, applied, isOnlyOne };
    const [first, ...others] = error.suggestions;
    if (first === undefined) return null;
    if (others.length > 0) isOnlyOne = false;
    text = applySuggestion(text, first);
    if (seen.has(text)) return null;
    seen.add(text);
    applied.push(first);
  }
  return null;
}

/** What a text is refused for; null where it is accepted. */
function firstError(
  source: string,
  schema: Schema | null,
  options: ParseOptions,
): FilterSyntaxError | FilterLimitError | FilterCheckError | null {
  try {
    const { ast } = parse(source, options);
    const patterns = createPatternTable(source, { ...defaultLimits, ...options.limits });
    const [first, ...rest] = checkExpression(ast, schema?.root ?? anyType, patterns, false);
    return first === undefined ? null : new FilterCheckError(source, [first, ...rest]);
  } catch (error) {
    if (error instanceof FilterSyntaxError || error instanceof FilterLimitError) return error;
    throw error;
  }
}
