import { FilterLimitError } from '../diagnostics/errors.js';
import type { Limits } from '../diagnostics/limits.js';
import { literalOf, type MatchExpression } from '../syntax/ast.js';
import {
  compilePattern,
  createShared,
  PatternError,
  PatternLimitError,
  type Pattern,
  type PatternLimitCode,
  type PatternLimits,
  type SharedMeans,
} from '../values/pattern/index.js';

/** The compiled patterns of one filter, each compiled once, for the check and the closures. */
export interface PatternTable {
  /** Returns the pattern of a `matches`, or Go's error message. @throws FilterLimitError if the pattern exceeds the limits. */
  compile(match: MatchExpression): Pattern | string;
}

export function createPatternTable(source: string, limits: Limits): PatternTable {
  /** Created for the first pattern, because most filters have none. */
  let state: { readonly compiled: Map<string, Pattern | string>; readonly means: SharedMeans } | null = null;
  let size = 0;
  /** The match with the most expensive pattern. */
  let dearest: Dearest | null = null;
  return {
    compile(match) {
      const value = literalOf(match);
      const text = value?.text ?? '';
      // Go requires patterns to be valid UTF-8.
      if (value?.wellFormed === false) return 'error parsing regexp: invalid UTF-8';
      const flags = value?.ignoreCase === true ? withoutCase : '';
      const { compiled, means } = (state ??= {
        compiled: new Map(),
        means: createShared(limits.maxCompileSteps),
      });
      const known = compiled.get(flags + text);
      if (known !== undefined) return known;
      const { account } = means;
      const before = account.spent;
      const maxPatternLength = limits.maxPatternLength + flags.length;
      const within = { maxPatternLength, maxPatternSize: limits.maxPatternSize - size };
      const fresh = compileOne(flags + text, within, means);
      const cost = account.spent - before;
      if (dearest === null || cost > dearest.cost) dearest = { match, cost };
      if (fresh instanceof PatternLimitError)
        throw limitError(source, match, fresh.code, limits, compiled.size > 0, dearest);
      if (typeof fresh !== 'string') size += fresh.size;
      compiled.set(flags + text, fresh);
      return fresh;
    },
  };
}

interface Dearest {
  readonly match: MatchExpression;
  readonly cost: number;
}

/** Prefix that makes a whole pattern case-insensitive. */
const withoutCase = '(?i)';

function compileOne(
  text: string,
  limits: PatternLimits,
  means: SharedMeans,
): Pattern | string | PatternLimitError {
  try {
    return compilePattern(text, limits, means);
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    if (error instanceof PatternLimitError) return error;
    throw error;
  }
}

/** The error message and its match. */
interface Refusal {
  readonly match: MatchExpression;
  readonly limit: number;
  readonly message: string;
  readonly label: string;
  readonly hint: string;
}

function limitError(
  source: string,
  match: MatchExpression,
  code: PatternLimitCode,
  limits: Limits,
  isOneOfSeveral: boolean,
  dearest: Dearest,
): FilterLimitError {
  const which = isOneOfSeveral ? 'the patterns of the filter together' : 'the pattern';
  const refusals: Readonly<Record<PatternLimitCode, Refusal>> = {
    'pattern-too-long': {
      match,
      limit: limits.maxPatternLength,
      message: `the pattern is longer than ${limits.maxPatternLength} characters`,
      label: 'too long',
      hint: 'split it into several matches joined with or',
    },
    'pattern-too-large': {
      match,
      limit: limits.maxPatternSize,
      message: `${which} need${isOneOfSeveral ? '' : 's'} more than ${limits.maxPatternSize} steps${isOneOfSeveral ? '' : ', its repetitions multiply'}`,
      label: 'too large',
      hint: isOneOfSeveral ? 'use fewer patterns, or smaller counts in {n,m}' : 'use smaller counts in {n,m}',
    },
    'too-many-compile-steps': {
      match: dearest.match,
      limit: limits.maxCompileSteps,
      message: `${which} take${isOneOfSeveral ? '' : 's'} more than ${limits.maxCompileSteps} steps to compile`,
      label: isOneOfSeveral ? 'this one takes most' : 'too much',
      hint: 'use fewer patterns, or smaller ones: large classes, (?i) and loops in loops take most',
    },
  };
  const { match: named, limit, message, label, hint } = refusals[code];
  const span = named.value?.span ?? named.span;
  return new FilterLimitError(
    source,
    { code, goMessage: message, span, label, hint, suggestions: [] },
    limit,
  );
}
