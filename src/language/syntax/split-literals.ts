import { isPointer } from './literal.js';

/** A literal that was cut from a source, and its offset there. */
export interface CutLiteral {
  readonly text: string;
  readonly start: number;
}

/** Matches a number like the lexer, if nothing follows that could belong to it. */
const number = /(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?![0-9A-Za-z_.:/+-])/y;
/** The characters after which a digit begins a token. */
const separators = ' \t([,=<>';

/**
 * Cuts the quoted literals and numbers without a sign from a source, and returns them with the rest, in which a mark replaces each.
 * Null if the source has a backslash, a backtick or a line feed, which change where literals end and whether they are valid.
 *
 * If two sources have the same rest and one of them is a valid filter of the standard dialect, the other one has the same tree
 * except for spans and these literals: each is replaced by one of the same token type, and no other token reads into it. A mark
 * begins with a backtick, which the rest has nowhere else. A quoted key of a path, as in `Meta["os"]`, belongs to the rest.
 */
export function splitLiterals(source: string): { rest: string; literals: readonly CutLiteral[] } | null {
  if (/[\\`\n]/.test(source)) return null;
  const literals: CutLiteral[] = [];
  let rest = '';
  let from = 0;
  const cut = (start: number, text: string, mark: string, end: number): void => {
    literals.push({ text, start });
    rest += source.slice(from, start) + mark;
    from = end;
  };
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x22) {
      const end = source.indexOf('"', at + 1);
      if (end < 0) return null;
      const text = source.slice(at + 1, end);
      const isKey = source[at - 1] === '[' && source[at - 2] !== ' ' && source[end + 1] === ']';
      if (!isKey) cut(at, text, isPointer(text) ? '`/' : '`"', end + 1);
      at = end;
    } else if (code >= 0x30 && code <= 0x39 && at > 0 && separators.includes(source.charAt(at - 1))) {
      number.lastIndex = at;
      const text = number.exec(source)?.[0] ?? '';
      if (text !== '') cut(at, text, '`0', at + text.length);
      at = Math.max(at, from - 1);
    }
  }
  return { rest: rest + source.slice(from), literals };
}
