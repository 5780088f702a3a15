import type { Level } from '../syntax/dialect.js';
import { prefixTest, suffixTest } from './loose-syntax.js';
import { quoteText } from './loose-syntax.js';

/** Matches literal characters and stars, as in file names. No special characters of regular expressions except the dot. */
const globLike = /^[\w\-./:@ *]*$/;

/**
 * Returns the regular expression for a string that looks like a glob (`web-*`, `*.example.com`); null for others. A star after a
 * dot or in `.*` counts as regular expression syntax.
 */
export function globToPattern(text: string): string | null {
  const isGlob = text.includes('*') && globLike.test(text) && !text.includes('.*') && !/^\*+$/.test(text);
  return isGlob ? patternOf(text) : null;
}

function patternOf(glob: string): string {
  const parts = glob.split(/\*+/).map((part) => part.replaceAll('.', '\\.'));
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  return `${first === '' ? '' : '^'}${parts.filter((part) => part !== '').join('.*')}${last === '' ? '' : '$'}`;
}

/**
 * Returns the operator and value equivalent to a test with a glob; null for strings that are not globs. `where` is the part of
 * the value that is compared. It decides what stars may match: `contains "web*"` is `contains "web"`.
 */
export function globTest(
  where: 'whole' | 'start' | 'end' | 'part',
  { text, ignoreCase }: { readonly text: string; readonly ignoreCase: boolean },
  level: Level,
): string | null {
  if (globToPattern(text) === null) return null;
  const goesOn = where === 'start' || where === 'part';
  const glob = `${where === 'end' || where === 'part' ? '*' : ''}${text}${goesOn ? '*' : ''}`.replace(
    /\*+/g,
    '*',
  );
  const flag = ignoreCase ? 'i' : '';
  const inner = glob.replace(/^\*|\*$/g, '');
  if (where !== 'whole' && !inner.includes('*')) {
    if (!glob.startsWith('*')) return prefixTest(inner, level) + flag;
    return (glob.endsWith('*') ? `contains ${quoteText(inner)}` : suffixTest(inner, level)) + flag;
  }
  return level > 0 ? `like ${quoteText(glob)}${flag}` : `matches ${quotePattern(patternOf(glob))}`;
}

/** Returns a pattern as a literal: in backticks if its backslashes would need escaping. */
export function quotePattern(pattern: string): string {
  return quoteText(pattern);
}
