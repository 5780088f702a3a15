import { FilterLimitError } from '../diagnostics/errors.js';
import type { Limits } from '../diagnostics/limits.js';
import type { MatchExpression } from '../syntax/ast.js';
import { compilePattern, PatternError, PatternLimitError, type Pattern } from '../values/pattern/index.js';

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
  return {
    compile(match) {
      const text = match.value?.text ?? '';
      // Go reads a pattern as UTF-8 and refuses anything else.
      if (match.value?.wellFormed === false) return 'error parsing regexp: invalid UTF-8';
      const known = compiled.get(text);
      if (known !== undefined) return known;
      const fresh = compileOne(source, match, text, limits);
      compiled.set(text, fresh);
      return fresh;
    },
  };
}

function compileOne(source: string, match: MatchExpression, text: string, limits: Limits): Pattern | string {
  try {
    return compilePattern(text, limits);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    if (error instanceof PatternLimitError) throw limitError(source, match, error);
    throw error;
  }
}

function limitError(
  source: string,
  match: MatchExpression,
  { code, limit }: PatternLimitError,
): FilterLimitError {
  const isLong = code === 'pattern-too-long';
  return new FilterLimitError(
    source,
    {
      code,
      message: isLong
        ? `the pattern is longer than ${limit} characters`
        : `the pattern needs more than ${limit} steps, its repetitions multiply`,
      span: match.value?.span ?? match.span,
      label: isLong ? 'too long' : 'too large',
      hint: isLong ? 'split it into several matches joined with or' : 'use smaller counts in {n,m}',
      suggestions: [],
    },
    limit,
  );
}
