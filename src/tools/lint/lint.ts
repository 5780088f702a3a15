import { defaultLimits } from '../../language/diagnostics/limits.js';
import { checkOptions, describe } from '../../language/diagnostics/options.js';
import { analyse, type Analysis } from '../../language/schema/analysis.js';
import type { Schema } from '../../language/schema/schema.js';
import { anyType } from '../../language/schema/type.js';
import type { Expression } from '../../language/syntax/ast.js';
import { childrenOf } from '../../language/syntax/visit.js';
import {
  levelOf,
  parsedOf,
  parseWithFields,
  type FilterSource,
  type Language,
  type ParseOptions,
} from '../../language/parse.js';
import { checkCollection, checkIndex } from './collection-rule.js';
import { applySuggestion } from './apply-fixes.js';
import type { LintFinding } from './finding.js';
import { checkJunction } from './junction-rule.js';
import { checkNegatedKey, checkNegation } from './negation-rule.js';
import { checkList, checkNullTest } from './list-rule.js';
import { checkReference, checkTextOrder } from './ordering-rule.js';
import { checkPattern } from './pattern-rule.js';
import { checkRelaxation } from './relaxation-rule.js';
import type { LintContext, LintReport } from './lint-context.js';
import { NodeKeys } from './node-keys.js';
import { checkValue } from './value-rule.js';

/** Options of `lint`: those for parsing a source, and the schema of the rows. */
export interface LintOptions extends ParseOptions {
  readonly schema?: Schema | undefined;
  /** Rows, to find comparisons with a string that names one of their fields. The first 1,000 are read. Default: none. */
  readonly rows?: readonly object[];
}

/** Maximum number of findings about one filter. More would not explain a repeated mistake any better. */
const maxFindings = 100;

/** Maximum number of characters of corrected sources that are parsed: twice the maximum length of a filter. */
const maxRead = 131_072;

/**
 * Returns what is probably not meant in a valid filter: contradictions, repetitions, patterns that match more than they seem to,
 * values that a field is not known to have, and what go-bexpr would reject. In source order; empty if there is nothing to report.
 * Mistakes found by `check` are not repeated.
 *
 * Every suggestion, applied alone, gives a source that parses in the same dialect; in a long source with many findings only the
 * first ones have suggestions. Those of `not-portable`, `duplicate`, `redundant` and `double-negation` keep the meaning; the
 * others suggest what was probably meant.
 *
 * @throws FilterSyntaxError and FilterLimitError if the source is not a valid filter, as `parse` does; TypeError if an argument
 * is invalid.
 */
export function lint(filter: FilterSource, options: LintOptions = {}): readonly LintFinding[] {
  checkOptions('lint', options, ['schema', 'rows', 'dialect', 'level', 'limits']);
  const { schema, rows = [], ...parseOptions } = options;
  if (!Array.isArray(rows)) throw new TypeError(`lint: rows must be an array, got ${describe(rows)}`);
  const parsed = parsedOf('lint', filter, parseOptions);
  const { source, dialect } = parsed;
  const { level = 1 } = parseOptions;
  const found: LintFinding[] = [];
  let unread = maxRead;
  const report = ({ hint = null, suggestions = [], ...finding }: LintReport): void => {
    if (found.length >= maxFindings) return;
    const readable = suggestions.filter((each) => {
      const corrected = applySuggestion(source, each);
      unread -= corrected.length;
      return unread >= 0 && isReadable(corrected, { dialect, level });
    });
    found.push({ ...finding, hint, suggestions: readable });
  };
  const isFull = (): boolean => found.length >= maxFindings;
  const keys = new NodeKeys();
  const shared = { source, dialect, level: levelOf({ dialect, level }), rows, keys, report, isFull };
  lintExpression(parsed.ast, analyse(schema?.root ?? anyType, shared.level), shared);
  for (const relaxation of parsed.relaxations) checkRelaxation(relaxation, { source, report });
  return found.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

const unlimited = { ...defaultLimits, maxLength: Infinity, maxDepth: Infinity, maxTerms: Infinity };

/** Whether a corrected source is a valid filter. It may be invalid next to unusual syntax. */
function isReadable(source: string, language: Language): boolean {
  try {
    parseWithFields(null, source, language, unlimited, null);
    return true;
  } catch {
    return false;
  }
}

function lintExpression(node: Expression, analysis: Analysis, shared: Omit<LintContext, 'analysis'>): void {
  if (shared.isFull()) return;
  const context: LintContext = { ...shared, analysis };
  switch (node.kind) {
    case 'and':
    case 'or':
      checkJunction(node, context);
      break;
    case 'not':
      checkNegation(node, context);
      break;
    case 'match':
      checkNegatedKey(node, context);
      checkPattern(node, context);
      checkIndex(node, context);
      checkValue(node, context);
      checkList(node, context);
      checkNullTest(node, context);
      checkReference(node, context);
      checkTextOrder(node, context);
      break;
    case 'any':
    case 'all':
      checkCollection(node, context);
      break;
  }
  for (const child of childrenOf(node)) lintExpression(child, analysis.below(node), shared);
}
