import type { Level } from '../syntax/dialect.js';
import { prefixTest, suffixTest } from './affix-test.js';
import { quoteText } from './loose-syntax.js';

/** Literal characters and stars, as in the names of files; nothing that is special in a regular expression but the dot. */
const globLike = /^[\w\-./:@ *]*$/;

/**
 * The regular expression for what looks like a glob (`web-*`, `*.example.com`), null for anything else. A star behind a
 * dot or as part of `.*` is taken for a regular expression's.
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
 * The test behind a field that asks what one for a text that looks like a glob was meant to ask; null for any other text.
 * `where` the text is looked for decides what its stars may stand for: `contains "web*"` is `contains "web"`.
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

/** A pattern as a literal: in backticks where its backslashes would need care. */
export function quotePattern(pattern: string): string {
  return quoteText(pattern);
}
