import { isPointer } from './literal.js';

/** A literal that was cut from a source. */
export interface CutLiteral {
  readonly text: string;
  /** Its offset in the source, including the quote or the sign. */
  readonly start: number;
}

/** A source without its literals. */
export interface SplitSource {
  /** The rest of the source, with a mark for each literal. */
  readonly rest: string;
  /** In source order. */
  readonly literals: readonly CutLiteral[];
}

const quote = 0x22;
/** Marks begin with a backtick, which the rest never contains otherwise. The second character is the class of the literal. */
const marks = { text: '`"', pointer: '`/', number: '`0', negative: '`-' } as const;
/** Matches a number like the lexer, if nothing follows that could belong to it. */
const number = /(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?![0-9A-Za-z_.:/+-])/y;
/** The characters before a token, after which a digit begins one. */
const separators = ' \t([,=<>';

/**
 * Cuts the quoted literals and numbers from a source. Null if it has a backslash, a backtick or a line feed, which change where
 * literals end and whether they are valid.
 *
 * If two sources have the same rest and one of them is a valid filter of the standard dialect, the other one has the same tree
 * except for spans and these literals: each is cut together with its delimiters, replaced by one of the same token type, and no
 * other token extends into it or looks at more than its class. A quoted key of a path, as in `Meta["os"]`, belongs to the rest.
 */
export function splitLiterals(source: string): SplitSource | null {
  if (/[\\`\n]/.test(source)) return null;
  const literals: CutLiteral[] = [];
  let rest = '';
  let from = 0;
  const cut = (start: number, text: string, mark: string, end: number): void => {
    literals.push({ text, start });
    rest += source.slice(from, start) + mark;
    from = end;
  };
  for (let at = 0; at < source.length;) {
    const code = source.charCodeAt(at);
    if (code === quote) {
      const end = source.indexOf('"', at + 1) + 1;
      if (end === 0) return null;
      const text = source.slice(at + 1, end - 1);
      if (!isKey(source, at, end)) cut(at, text, isPointer(text) ? marks.pointer : marks.text, end);
      at = end;
    } else {
      if (code >= 0x30 && code <= 0x39) {
        const isNegative = source[at - 1] === '-';
        const start = isNegative ? at - 1 : at;
        number.lastIndex = at;
        const digits = beginsToken(source, start) ? number.exec(source)?.[0] : undefined;
        if (digits !== undefined)
          cut(
            start,
            isNegative ? `-${digits}` : digits,
            isNegative ? marks.negative : marks.number,
            at + digits.length,
          );
      }
      at = Math.max(at + 1, from);
    }
  }
  return { rest: rest + source.slice(from), literals };
}

function isKey(source: string, start: number, end: number): boolean {
  return source[start - 1] === '[' && source[end] === ']' && source[start - 2] !== ' ';
}

function beginsToken(source: string, start: number): boolean {
  return start > 0 && separators.includes(source.charAt(start - 1));
}
