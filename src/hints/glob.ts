import { quoteText } from './loose-syntax.js';

/** Literal characters and stars, as in the names of files; nothing that is special in a regular expression but the dot. */
const globLike = /^[\w\-./:@ *]*$/;

/**
 * The regular expression for what looks like a glob (`web-*`, `*.example.com`), null for anything else. A star behind a
 * dot or as part of `.*` is taken for a regular expression's.
 */
export function globToPattern(text: string): string | null {
  if (!text.includes('*') || !globLike.test(text) || text.includes('.*') || /^\*+$/.test(text)) return null;
  const parts = text.split(/\*+/).map((part) => part.replaceAll('.', '\\.'));
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  return `${first === '' ? '' : '^'}${parts.filter((part) => part !== '').join('.*')}${last === '' ? '' : '$'}`;
}

/** A pattern as a literal: in backticks where its backslashes would need care. */
export function quotePattern(pattern: string): string {
  return quoteText(pattern);
}
