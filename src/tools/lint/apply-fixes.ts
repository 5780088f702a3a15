import {
  FilterCheckError,
  FilterLimitError,
  FilterSyntaxError,
  type Suggestion,
} from '../../language/diagnostics/errors.js';
import { checkOptions, describe, limitsOf, checkIterable } from '../../language/diagnostics/options.js';
import { diagnose } from '../../filter/explain/diagnose.js';
import { analyse } from '../../language/schema/analysis.js';
import { checkExpression } from '../../language/schema/check.js';
import { knowledgeOf } from '../../language/schema/knowledge.js';
import { createPatternTable } from '../../language/schema/pattern-table.js';
import type { Schema } from '../../language/schema/schema.js';
import { anyType } from '../../language/schema/type.js';
import { levelOf, parseWithFields, type ParseOptions } from '../../language/parse.js';

/** Returns the source with one suggestion applied. */
export function applySuggestion(source: string, suggestion: Suggestion): string {
  const { span, replacement } = Object(suggestion) as Suggestion;
  const caller = 'applySuggestion';
  if (typeof source !== 'string')
    throw new TypeError(`${caller}: source must be a string, got ${describe(source)}`);
  if (typeof replacement !== 'string' || !Number.isInteger(Object(span).start) || !Number.isInteger(span.end))
    throw new TypeError(`${caller}: suggestion must be one of suggestions, got ${describe(suggestion)}`);
  return source.slice(0, span.start) + replacement + source.slice(span.end);
}

/** A filter made from an invalid source. */
export interface Correction {
  readonly source: string;
  /** The applied corrections, in order; each span refers to the source after the previous ones. */
  readonly applied: readonly Suggestion[];
  /** Whether every mistake had exactly one correction, so that nothing was chosen. */
  readonly isOnlyOne: boolean;
}

/** Options for parsing a source, and the rows to which its names belong. */
export interface CorrectOptions extends ParseOptions {
  readonly schema?: Schema | undefined;
  /** Rows that the filter is for. Unknown names are corrected to names of these rows. At most 1,000 are read. */
  readonly rows?: Iterable<unknown>;
  /** The clock for `now` when rows are evaluated. Default: the system clock. */
  readonly now?: () => Date;
}

/** Maximum number of mistakes corrected in one source. More are not typing mistakes. */
const maxSteps = 16;

/** Maximum number of mistakes found at once, even if a correction resolves several. */
const maxMistakes = 4 * maxSteps;
const tooManyMistakes: readonly Suggestion[] = [];

/** Maximum number of rows that a correction reads. */
const maxRows = 1_000;

/**
 * Returns a corrected source, or null. Mistakes are corrected one by one until the source is accepted: the first suggestion of each error is applied. With rows,
 * a clause that fails for all of them counts as a mistake. Returns null if a mistake has no correction, or if the source needs
 * none.
 */
export function correct(source: string, options: CorrectOptions = {}): Correction | null {
  if (typeof source !== 'string')
    throw new TypeError(`correct: filter must be a string, got ${describe(source)}`);
  checkOptions('correct', options, ['schema', 'dialect', 'level', 'limits', 'rows', 'now']);
  const { rows = [], schema = null, ...parseOptions } = options;
  checkIterable('correct', 'rows', rows);
  const context: CorrectionContext = { schema, options: parseOptions, rows: firstOf(rows, maxRows) };
  const applied: Suggestion[] = [];
  const seen = new Set([source]);
  let isOnlyOne = true;
  let text = source;
  while (applied.length < maxSteps) {
    const suggestions = firstMistake(text, context);
    if (suggestions === tooManyMistakes) return null;
    if (suggestions === null) return applied.length === 0 ? null : { source: text, applied, isOnlyOne };
    const chosen = choose(text, suggestions, context);
    if (chosen === null) return null;
    if (!chosen.isCertain) isOnlyOne = false;
    text = applySuggestion(text, chosen.suggestion);
    if (seen.has(text)) return null;
    seen.add(text);
    applied.push(chosen.suggestion);
  }
  return null;
}

/** The context in which a source is corrected. */
interface CorrectionContext {
  readonly schema: Schema | null;
  readonly options: ParseOptions & Pick<CorrectOptions, 'now'>;
  readonly rows: readonly unknown[];
}

function firstOf(rows: Iterable<unknown>, max: number): unknown[] {
  const taken: unknown[] = [];
  for (const row of rows) {
    if (taken.length >= max) break;
    taken.push(row);
  }
  return taken;
}

/** Returns the suggestion to apply: the first one that is valid for the rows. */
function choose(
  text: string,
  suggestions: readonly Suggestion[],
  context: CorrectionContext,
): { readonly suggestion: Suggestion; readonly isCertain: boolean } | null {
  const [first] = suggestions;
  if (first === undefined) return null;
  const isCertain = suggestions.length === 1 && first.isGuess !== true;
  if (suggestions.length === 1 || context.rows.length === 0) return { suggestion: first, isCertain };
  const accepted = suggestions.find((each) => {
    const corrected = applySuggestion(text, each);
    return errorOf(corrected, context) === null && suggestionsForNoMatch(corrected, context) === null;
  });
  return { suggestion: accepted ?? first, isCertain };
}

/** Returns the suggestions for the first mistake of a source; null if there is no mistake. */
function firstMistake(source: string, context: CorrectionContext): readonly Suggestion[] | null {
  const error = errorOf(source, context);
  if (error instanceof FilterCheckError && error.diagnostics.length > maxMistakes) return tooManyMistakes;
  return error === null ? suggestionsForNoMatch(source, context) : error.suggestions;
}

/** Returns the suggestions for a source that no row satisfies as written; null if there is no mistake. */
function suggestionsForNoMatch(
  source: string,
  { rows, schema, options }: CorrectionContext,
): readonly Suggestion[] | null {
  if (rows.length === 0) return null;
  const {
    suggestions,
    blockingClause,
    clauses,
    rows: count,
  } = diagnose(source, rows, {
    ...options,
    ...(schema === null ? {} : { schema }),
  });
  const clause = blockingClause === null ? undefined : clauses[blockingClause];
  if (clause === undefined) return null;
  // A clause that fails for every row is a mistake, even if there is no suggestion.
  if (suggestions.length === 0) return clause.failed === count ? [] : null;
  // A filter may still search for a value that no row has.
  return clause.failed === count ? suggestions : suggestions.map((each) => ({ ...each, isGuess: true }));
}

/** Returns the error of a source; null if it is accepted. */
function errorOf(
  source: string,
  { schema, options }: CorrectionContext,
): FilterSyntaxError | FilterLimitError | FilterCheckError | null {
  try {
    const root = schema?.root ?? anyType;
    const limits = limitsOf(options.limits);
    const { ast } = parseWithFields(knowledgeOf(root), source, options, limits);
    const patterns = createPatternTable(source, limits);
    const [first, ...rest] = checkExpression(ast, analyse(root, levelOf(options)), patterns, false);
    return first === undefined ? null : new FilterCheckError(source, [first, ...rest]);
  } catch (error) {
    if (error instanceof FilterSyntaxError || error instanceof FilterLimitError) return error;
    throw error;
  }
}
