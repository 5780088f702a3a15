import type { Suggestion } from '../diagnostics/errors.js';
import type { HintProvider, Attempt } from '../syntax/advice.js';
import type { RelaxationKind } from '../syntax/dialect.js';
import type { FieldKnowledge } from '../syntax/field-knowledge.js';
import { findHint } from './find-hint.js';
import type { Hint } from './hint.js';
import { isLevelOne, levelZeroHint } from './level-one.js';
import { levelZeroMatch } from './level-zero-match.js';

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
