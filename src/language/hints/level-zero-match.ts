import { anchored, globPattern, literalPattern } from '../values/pattern-text.js';
import type { Relaxation } from '../syntax/dialect.js';
import { quotePattern } from './glob.js';
import { type Hint, maxLookahead, replace } from './hint.js';

// Matches literals that can be rewritten. Those with escapes are excluded, because only the parser knows their meaning. Those
// that match the empty string are excluded too: as patterns they would also match values of another kind.
const literal = '(?:"([^"\\\\\\n]*)"|`([^`]*)`)';
const globAtStart = new RegExp(`^like\\s*${literal}(i(?![\\w/]))?`);
const equalityAtEnd = new RegExp(`\\s*(==|!=)\\s*${literal}$`);

/** Returns the correction of `like`, or of a literal with the flag `i`: an equivalent pattern. */
export function levelZeroMatch(source: string, { kind, span }: Relaxation): Hint {
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
