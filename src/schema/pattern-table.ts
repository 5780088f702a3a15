import { FilterLimitError } from '../diagnostics/errors.js';
import type { Limits } from '../diagnostics/limits.js';
import { literalOf, type MatchExpression } from '../syntax/ast.js';
import {
  compilePattern,
  createShared,
  PatternError,
  PatternLimitError,
  type Pattern,
  type SharedMeans,
} from '../values/pattern/index.js';

/** The patterns of one filter, each compiled once, for the check and for the closures. */
export interface PatternTable {
  /**
   * The pattern of a `matches`, or the words with which Go refuses it.
   * @throws FilterLimitError for a pattern beyond the limits.
   */
  compile(match: MatchExpression): Pattern | string;
}

export function createPatternTable(source: string, limits: Limits): PatternTable {
  const compiled = new Map<string, Pattern | string>();
  const means = createShared();
  let size = 0;
  return {
    compile(match) {
      const value = literalOf(match);
      const text = value?.text ?? '';
      // Go reads a pattern as UTF-8 and refuses anything else.
      if (value?.wellFormed === false) return 'error parsing regexp: invalid UTF-8';
      const flags = value?.ignoreCase === true ? withoutCase : '';
      const known = compiled.get(flags + text);
      if (known !== undefined) return known;
      const fresh = compileOne(source, match, { text, flags }, limits, { size, means });
      if (typeof fresh !== 'string') size += fresh.size;
      compiled.set(flags + text, fresh);
      return fresh;
    },
  };
}

/** In front of a pattern: it holds for all of it. */
const withoutCase = '(?i)';

/** What the patterns of a filter share: the sum of their sizes so far, and their means. */
interface Shared {
  readonly size: number;
  readonly means: SharedMeans;
}

function compileOne(
  source: string,
  match: MatchExpression,
  { text, flags }: { readonly text: string; readonly flags: string },
  limits: Limits,
  { size, means }: Shared,
): Pattern | string {
  const maxPatternLength = limits.maxPatternLength + flags.length;
  const maxPatternSize = limits.maxPatternSize - size;
  try {
    return compilePattern(flags + text, { maxPatternLength, maxPatternSize }, means);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    if (error instanceof PatternLimitError) throw limitError(source, match, error.code, limits, size > 0);
    throw error;
  }
}

function limitError(
  source: string,
  match: MatchExpression,
  code: PatternLimitError['code'],
  limits: Limits,
  isOneOfSeveral: boolean,
): FilterLimitError {
  const isLong = code === 'pattern-too-long';
  const limit = isLong ? limits.maxPatternLength : limits.maxPatternSize;
  const which = isOneOfSeveral ? 'the patterns of the filter together need' : 'the pattern needs';
  return new FilterLimitError(
    source,
    {
      code,
      message: isLong
        ? `the pattern is longer than ${limit} characters`
        : `${which} more than ${limit} steps${isOneOfSeveral ? '' : ', its repetitions multiply'}`,
      span: match.value?.span ?? match.span,
      label: isLong ? 'too long' : 'too large',
      hint: isLong
        ? 'split it into several matches joined with or'
        : isOneOfSeveral
          ? 'use fewer patterns, or smaller counts in {n,m}'
          : 'use smaller counts in {n,m}',
      suggestions: [],
    },
    limit,
  );
}
