import { FilterSyntaxError, type Suggestion } from '../diagnostics/errors.js';
import { type Expectation, expectations } from '../syntax/expectation.js';
import type { Hint } from './hint.js';
import type { Expression } from '../syntax/ast.js';
import type { Level, Relaxation, RelaxationKind } from '../syntax/dialect.js';
import type { Failure } from '../syntax/failure.js';
import { goCode, goMessage } from '../syntax/go-messages.js';
import { findHint } from './find-hint.js';
import { isLevelOne, levelZeroHint } from './level-one.js';
import { levelZeroMatch } from './level-zero-match.js';
import type { FieldKnowledge } from './field-knowledge.js';

/** What becomes of a corrected text: the tree of a filter, or the place of its first mistake. */
export type Attempt = (source: string) => Expression | number;

/** How texts are read where the failure comes from. */
export interface Reading {
  readonly level: Level;
  readonly attempt: Attempt;
  /** What of level 1 the text has where it is a filter there and level 0 was asked for. */
  readonly levelOneUses: () => readonly Relaxation[];
}

/**
 * Puts a failure of the parser into words: go-bexpr's own in the message, ours around the caret. A suggestion is kept only
 * where the text can be read beyond it once it is applied, and where the fields, if they are known, take what it asks.
 */
export function syntaxError(
  source: string,
  failure: Failure,
  { level, levelOneUses, attempt }: Reading,
  fields: FieldKnowledge | null,
): FilterSyntaxError {
  const expected: Expectation = expectations[failure.expected];
  const written = foundText(source, failure);
  const uses = levelOneUses();
  const used = uses.find(({ span }) => span.end >= failure.span.start) ?? uses.at(-1);
  const use = used?.kind ?? null;
  const isMisread = used !== undefined && misread.has(used.kind);
  const found = isMisread ? levelZeroMatch(source, used) : findHint(source, failure, fields, level);
  const suggestions = found === null ? [] : keepUseful(source, found, attempt, fields);
  const hint = found?.hint ?? null;
  const said = typeof hint === 'function' ? hint(suggestions) : hint;
  const diagnostic = {
    code: goCode(failure),
    message: goMessage(source, failure),
    span: failure.span,
    label: found?.label ?? labelOf(expected, written, level),
    hint:
      use === null || !isLevelOne(use) ? said : levelZeroHint(use, found?.isGeneral === true ? null : said),
    suggestions,
  };
  const known = expected.choices.filter((choice) => level > 0 || choice.go.length > 0);
  const names = known.map((choice) => choice.name);
  return new FilterSyntaxError(source, diagnostic, names, written);
}

/** Uses of level 1 for which the rules of level 0 have other words in mind. */
const misread: ReadonlySet<RelaxationKind> = new Set(['ignore-case', 'field-reference', 'glob']);

function labelOf({ isLabel, phrase, basicPhrase }: Expectation, found: string, level: Level): string {
  return isLabel ? phrase : `expected ${level > 0 ? phrase : basicPhrase}, found ${shown(found)}`;
}

function keepUseful(
  source: string,
  { suggestions = [], isSweeping = false }: Hint,
  attempt: Attempt,
  fields: FieldKnowledge | null,
): readonly Suggestion[] {
  const kept: { suggestion: Suggestion; verdict: 'accepted' | 'refused' | 'hopeless' }[] = [];
  for (const suggestion of suggestions) {
    const { span, replacement } = suggestion;
    const corrected = source.slice(0, span.start) + replacement + source.slice(span.end);
    const read = attempt(corrected);
    if (typeof read === 'number') {
      const needed = isSweeping ? span.start : span.start + replacement.length;
      if (read >= needed && corrected !== source) kept.push({ suggestion, verdict: 'refused' });
    } else kept.push({ suggestion, verdict: fields?.judge(read) ?? 'accepted' });
  }
  // What the fields take is meant rather than what they do not. Another mistake beside this one must not hide it.
  const accepted = kept.filter(({ verdict }) => verdict === 'accepted');
  const useful = accepted.length > 0 ? accepted : kept.filter(({ verdict }) => verdict !== 'hopeless');
  return useful.map(({ suggestion }) => suggestion);
}

/** Longest piece of the source that an error repeats, in UTF-16 units. */
const longestFound = 40;

function foundText(source: string, { span }: Failure): string {
  if (span.start >= source.length) return endOfInput;
  const text = source.slice(span.start, span.end);
  return text.length > longestFound ? `${text.slice(0, longestFound)}…` : text;
}

const endOfInput = 'end of input';

/** A literal in its own quotes, everything else in ours, and what nobody can see by its number. */
function shown(found: string): string {
  if (/^[\p{C}\p{Z}]$/u.test(found)) return codePoint(found);
  return found === endOfInput || /^["`]/.test(found) ? found : `"${found}"`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
