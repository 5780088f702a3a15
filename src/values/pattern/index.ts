import { RE2JS, RE2JSSyntaxException } from 're2js';
import { PatternError, PatternLimitError } from './pattern-error.js';

export { PatternError, PatternLimitError } from './pattern-error.js';

/** A compiled pattern. `test` is an unanchored search, as Go's `regexp.MatchString`, in time linear in the text. */
export interface Pattern {
  readonly source: string;
  /** What runs: a string operation, a native RegExp proven linear, one with a length guard, or an RE2 automaton. */
  readonly way: 'string' | 'native' | 'guarded' | 're2';
  test(text: string): boolean;
}

export interface PatternLimits {
  /** Longest pattern in UTF-16 units. Stops patterns whose automaton fills the memory. */
  readonly maxPatternLength: number;
  /** Most automaton instructions. Stops `(((a{100}){100}){100})`. */
  readonly maxPatternSize: number;
}

/** Letters, digits and marks that stand for themselves in every RE2 pattern. */
const plainText = /^[A-Za-z0-9 _\-/:;,@#%&='"<>~!]*$/;

/**
 * Compiles a Go (RE2) regular expression.
 * @throws PatternError for a text that Go refuses, in Go's words.
 * @throws PatternLimitError for a pattern beyond the limits.
 */
export function compilePattern(source: string, limits: PatternLimits): Pattern {
  if (source.length > limits.maxPatternLength) {
    throw new PatternLimitError('pattern-too-long', limits.maxPatternLength);
  }
  if (plainText.test(source)) {
    return { source, way: 'string', test: (text) => text.includes(source) };
  }
  if (/\(\?<[^=!]/.test(source))
    throw new PatternError('invalid or unsupported Perl syntax', '(?<', source.indexOf('(?<'));
  const automaton = compileAutomaton(source);
  if (automaton.programSize() > limits.maxPatternSize) {
    throw new PatternLimitError('pattern-too-large', limits.maxPatternSize);
  }
  return { source, way: 're2', test: (text) => automaton.test(text) };
}

function compileAutomaton(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const fragment = error.getPattern() ?? '';
    const at = fragment === '' ? source.length : source.indexOf(fragment);
    throw new PatternError(error.getDescription(), fragment, Math.max(at, 0));
  }
}
