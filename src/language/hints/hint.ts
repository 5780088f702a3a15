import type { Suggestion } from '../diagnostics/errors.js';
import type { Level } from '../syntax/dialect.js';
import type { ExpectationName } from '../syntax/expectation.js';
import type { Failure } from '../syntax/failure.js';
import type { FieldKnowledge } from '../syntax/field-knowledge.js';

/** What a rule says; what it leaves out stays as it is. */
export interface Hint {
  readonly label?: string;
  /** A function of the suggestions that are kept, where it tells them. */
  readonly hint?: string | ((kept: readonly Suggestion[]) => string);
  readonly suggestions?: readonly Suggestion[];
  /** True for a rewriting of much of the text, which may hold more mistakes: it need not be readable to its end. */
  readonly isSweeping?: boolean;
  /** True for what is said of a place when nothing else can be. */
  readonly isGeneral?: boolean;
}

/** A refusal, seen from the place where it happened. */
export interface HintContext {
  readonly source: string;
  readonly failure: Failure;
  /** The source from the offending token on. */
  readonly rest: string;
  /** The end of the source before the offending token, at most {@link longestLook} of it. */
  readonly before: string;
  /** The level that the text was read at. */
  readonly level: Level;
  /** Null without a schema. */
  readonly fields: FieldKnowledge | null;
}

/** How far a rule looks back: the patterns that end with `$` would take forever on a text of megabytes. */
export const longestLook = 200;

/** Longest rest that rules look through more than once: their patterns may take its length squared. */
export const longestRest = 1_000;

/** Knows better what is wrong with a filter, or returns null. */
export type HintRule = (context: HintContext) => Hint | null;

export function replace(
  title: string,
  start: number,
  end: number,
  replacement: string,
): readonly Suggestion[] {
  return [{ title, span: { start, end }, replacement }];
}

/** Corrections of which none is certain, be it the only one. */
export function guesses(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return suggestions.map((each) => ({ ...each, isGuess: true }));
}

/** The first `length` characters at the place replaced by something else. */
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

/** Text in the place of so many characters before the place and behind it; of an empty text nothing is left there. */
export function rewrite(
  { failure, source }: HintContext,
  hint: string,
  text: string,
  before: number,
  behind: number,
): Hint {
  const from = failure.span.start - before;
  const end = failure.span.start + behind;
  const title = text === '' ? `leave out ${source.slice(from, end).trim()}` : `write ${text.trim()}`;
  return { hint, suggestions: replace(title, from, end, text) };
}

/** The same, where something else may have been meant. */
export function guess({ suggestions = [], ...hint }: Hint): Hint {
  return { ...hint, suggestions: guesses(suggestions) };
}

/** The length of the blanks before the place. */
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
