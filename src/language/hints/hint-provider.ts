import type { Suggestion } from '../diagnostics/errors.js';
import type { HintProvider, Attempt } from '../syntax/advice.js';
import type { RelaxationKind, Relaxation } from '../syntax/dialect.js';
import type { FieldKnowledge } from '../syntax/field-knowledge.js';
import { findHint } from './find-hint.js';
import { type Hint, maxLookahead, replace } from './hint.js';
import { isLevelOne, levelZeroHint } from './level-one.js';
import { anchored, globPattern, literalPattern } from '../values/pattern-text.js';
import { quotePattern } from './glob.js';

/**
 * Returns what the user probably intended. A suggestion is kept only if the corrected source parses beyond the mistake and, if
 * the fields are known, is valid for them.
 */
export const provideHint: HintProvider = (source, failure, { level, levelOneUses, attempt }, fields) => {
  const uses = levelOneUses();
  const used = uses.find(({ span }) => span.end >= failure.span.start) ?? uses.at(-1);
  const use = used?.kind ?? null;
  const isMisread = used !== undefined && misread.has(used.kind);
  const found = isMisread ? levelZeroMatch(source, used) : findHint(source, failure, fields, level);
  const suggestions = found === null ? [] : filterUseful(source, found, attempt, fields);
  const hint = found?.hint ?? null;
  const said = typeof hint === 'function' ? hint(suggestions) : hint;
  return {
    label: found?.label,
    hint:
      use === null || !isLevelOne(use) ? said : levelZeroHint(use, found?.isGeneral === true ? null : said),
    suggestions,
  };
};

/** Level 1 features for which the rules of level 0 would suggest something wrong. */
const misread: ReadonlySet<RelaxationKind> = new Set(['ignore-case', 'field-reference', 'glob']);

function filterUseful(
  source: string,
  { suggestions = [], isSweeping = false }: Hint,
  attempt: Attempt,
  fields: FieldKnowledge | null,
): readonly Suggestion[] {
  const cached: { suggestion: Suggestion; verdict: 'accepted' | 'rejected' | 'uncorrectable' }[] = [];
  for (const suggestion of suggestions) {
    const { span, replacement } = suggestion;
    const corrected = source.slice(0, span.start) + replacement + source.slice(span.end);
    const read = attempt(corrected);
    if (typeof read === 'number') {
      const needed = isSweeping ? span.start : span.start + replacement.length;
      if (read >= needed && corrected !== source) cached.push({ suggestion, verdict: 'rejected' });
    } else cached.push({ suggestion, verdict: fields?.classify(read) ?? 'accepted' });
  }
  // Suggestions that are valid for the fields come first. But another mistake in the filter must not suppress the others.
  const accepted = cached.filter(({ verdict }) => verdict === 'accepted');
  const useful = accepted.length > 0 ? accepted : cached.filter(({ verdict }) => verdict !== 'uncorrectable');
  return useful.map(({ suggestion }) => suggestion);
}

// Matches literals that can be rewritten. Those with escapes are excluded, because only the parser knows their meaning. Those
// that match the empty string are excluded too: as patterns they would also match values of another kind.
const literal = '(?:"([^"\\\\\\n]*)"|`([^`]*)`)';
const globAtStart = new RegExp(`^like\\s*${literal}(i(?![\\w/]))?`);
const equalityAtEnd = new RegExp(`\\s*(==|!=)\\s*${literal}$`);

/** Returns the correction of `like`, or of a literal with the flag `i`: an equivalent pattern. */
function levelZeroMatch(source: string, { kind, span }: Relaxation): Hint {
  if (kind === 'glob') {
    const written = globAtStart.exec(source.slice(span.start));
    const glob = written === null ? null : globPattern(written[1] ?? written[2] ?? '');
    if (written === null || glob === null || glob.takesEmpty) return {};
    const flags = (written[3] ?? '') + (glob.hasDot ? 's' : '');
    const text = `matches ${quotePattern(`${flags === '' ? '' : `(?${flags})`}${glob.pattern}`)}`;
    return { suggestions: replace(`write ${text}`, span.start, span.start + written[0].length, text) };
  }
  const start = Math.max(0, span.start - maxLookahead);
  const written = kind === 'ignore-case' ? equalityAtEnd.exec(source.slice(start, span.start)) : null;
  if (written === null || (written[2] ?? written[3]) === '') return {};
  const pattern = anchored(literalPattern(written[2] ?? written[3] ?? ''), { start: true, end: true });
  const text = `${written[1] === '!=' ? 'not ' : ''}matches ${quotePattern(`(?i)${pattern}`)}`;
  return { suggestions: replace(`write ${text}`, start + written.index, span.end, ` ${text}`) };
}
