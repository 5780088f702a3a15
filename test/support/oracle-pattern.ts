import { RE2JS, RE2JSException } from 're2js';

/**
 * A pattern as a search, by the automaton and never by a short cut; null for one that Go refuses. The engine's faster
 * ways of matching are compared with it.
 */
export function compileOraclePattern(pattern: string): ((text: string) => boolean) | null {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (cache.size >= 1_000) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

const cache = new Map<string, ((text: string) => boolean) | null>();

function compile(pattern: string): ((text: string) => boolean) | null {
  const tokens: readonly string[] = pattern.match(tokenForm) ?? [];
  // The named groups of newer Go versions are not part of the language.
  if (tokens.includes('(?<')) return null;
  try {
    const automaton = RE2JS.compile(withoutRepeatedNames(tokens));
    return (text) => automaton.matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}

/** Quoted text, an escape, a class, a group with a name, the opening of another group, or a character. */
const tokenForm = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:[^\]]*:\]|[^\]\\])*\]|\(\?P<\w+>|\(\?<|[^]/g;

/** Go lets two groups have one name, the automaton does not; a search does not need the second name. */
function withoutRepeatedNames(tokens: readonly string[]): string {
  return tokens
    .map((token, at) => (token.startsWith('(?P<') && tokens.indexOf(token) < at ? '(' : token))
    .join('');
}
