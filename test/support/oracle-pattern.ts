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
  // The named groups of newer Go versions are not part of the language.
  if (opensAngleGroup(pattern)) return null;
  try {
    const automaton = RE2JS.compile(pattern);
    return (text) => automaton.matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}

/** Whether the pattern has a group that opens with `(?<`; in a class, escaped or quoted the characters are text. */
function opensAngleGroup(pattern: string): boolean {
  const tokens = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:[^\]]*:\]|[^\]\\])*\]|\(\?<|[^]/g;
  const found: readonly string[] = pattern.match(tokens) ?? [];
  return found.includes('(?<');
}
