import type { Suggestion } from '../diagnostics/errors.js';
import type { Level } from '../syntax/dialect.js';
import type { ExpectationName } from '../syntax/expectation.js';
import type { Failure } from '../syntax/failure.js';
import type { FieldKnowledge } from '../syntax/field-knowledge.js';

/** The result of a rule. Omitted members have their defaults. */
export interface Hint {
  readonly label?: string;
  /** The hint, or a function that computes it from the suggestions that were kept. */
  readonly hint?: string | ((cached: readonly Suggestion[]) => string);
  readonly suggestions?: readonly Suggestion[];
  /**
   * Whether the suggestion rewrites much of the source. If so, it may contain further mistakes and need not be valid to its end.
   */
  readonly isSweeping?: boolean;
  /** Whether the hint is a fallback for a position without a specific hint. */
  readonly isGeneral?: boolean;
}

/** A syntax error with the source around its position. */
export interface HintContext {
  readonly source: string;
  readonly failure: Failure;
  /** The source from the offending token on. */
  readonly rest: string;
  /** The source before the offending token, at most {@link maxLookahead} characters. */
  readonly before: string;
  /** The language level of the source. */
  readonly level: Level;
  /** Null without a schema. */
  readonly fields: FieldKnowledge | null;
}

/**
 * Maximum number of characters before the position that rules examine. Prevents patterns that end with `$` from taking too long
 * on megabytes of source.
 */
export const maxLookahead = 200;

/** Maximum length of the rest that rules scan more than once, because the time of their patterns may be quadratic. */
export const maxRestLength = 1_000;

/** Returns a better explanation of a syntax error, or null. */
export type HintRule = (context: HintContext) => Hint | null;

export function replace(
  title: string,
  start: number,
  end: number,
  replacement: string,
): readonly Suggestion[] {
  return [{ title, span: { start, end }, replacement }];
}

/** Marks all corrections as uncertain, even a single one. */
export function guesses(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return suggestions.map((each) => ({ ...each, isGuess: true }));
}

/** Replaces the first `length` characters at the position. */
export function replaceHere(
  { failure, rest }: HintContext,
  length: number,
  replacement: string,
  hint: string,
): Hint {
  const { start } = failure.span;
  const written = rest.slice(0, length);
  const title = titleOf(written, replacement);
  return { hint, suggestions: replace(title, start, start + length, replacement) };
}

/** Replaces the given number of characters before and after the position with a string; an empty string deletes them. */
export function rewrite(
  { failure, source }: HintContext,
  hint: string,
  text: string,
  before: number,
  afterLength: number,
): Hint {
  const from = failure.span.start - before;
  const end = failure.span.start + afterLength;
  const title = text === '' ? `leave out ${source.slice(from, end).trim()}` : `write ${text.trim()}`;
  return { hint, suggestions: replace(title, from, end, text) };
}

/** Like {@link rewrite}, but marks the suggestion as uncertain. */
export function guess({ suggestions = [], ...hint }: Hint): Hint {
  return { ...hint, suggestions: guesses(suggestions) };
}

/** Returns the number of blanks before the position. */
export function gapBefore({ before }: HintContext): number {
  return before.length - before.trimEnd().length;
}

export function titleOf(written: string, replacement: string): string {
  if (written === '') return `insert ${replacement}`;
  if (replacement === '') return `leave out ${written}`;
  if (replacement === ' ') return 'write a space instead';
  return `write ${replacement.trim()} instead of ${written.trim()}`;
}

export function expects({ failure }: HintContext, ...names: readonly ExpectationName[]): boolean {
  return names.includes(failure.expected);
}

export const afterOperand: readonly ExpectationName[] = ['end', 'groupEnd', 'bodyEnd'];
