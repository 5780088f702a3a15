import type { Scalar } from 'yaml';
import type { SourceRange } from './literal-text.js';

/** How a string is written: as YAML calls it. All strings of JSON are double-quoted ones. */
export type Style = NonNullable<Scalar['type']>;

/**
 * The start of each character of a value in the source, and the end of the last one. A character of the source that the value
 * does not have is a quote, an indentation or a part of an escape. Computed on demand: few strings ever need it.
 *
 * @param whitespace spaces after the value that count as its own
 */
export function placesOf(
  source: string,
  value: string,
  within: SourceRange,
  style: Style,
  whitespace = 0,
): (offset: number) => number {
  let positions: readonly number[] | null = null;
  return (offset) => {
    positions ??= workOut(source, value, within, style, whitespace);
    return positions[offset] ?? within.end;
  };
}

/** An escape of JSON and YAML (YAML 1.2, 5.7), a folded line, or a character. */
const escaped = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\r?\n[ \t]*|[^])|[^]/y;

function workOut(
  source: string,
  value: string,
  { start, end }: SourceRange,
  style: Style,
  whitespace: number,
): number[] {
  const positions: number[] = [];
  let at = start;
  for (let index = 0; index < value.length;) {
    const next = unitAt(source, at, style);
    if (at >= end) {
      positions.push(end);
      index += 1;
      continue;
    }
    const isNext = next.text !== '' && value.startsWith(next.text, index);
    if (isNext || isFold(next.text, value.charAt(index))) {
      for (let each = 0; each < next.text.length; each += 1) positions.push(at);
      index += next.text.length;
    }
    at += next.length;
  }
  const last = Math.min(at, end);
  for (let offset = 0; offset <= whitespace; offset += 1) positions.push(last + offset);
  return positions;
}

function isFold(written: string, character: string): boolean {
  return character === ' ' && /^\s$/.test(written);
}

interface Unit {
  /** The decoded value; a character that never occurs in a value for an invalid escape. */
  readonly text: string;
  readonly length: number;
}

const shortEscapes: Readonly<Record<string, string>> = {
  0: '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

function unitAt(source: string, at: number, style: Style): Unit {
  if (style === 'QUOTE_SINGLE' && source.startsWith("''", at)) return { text: "'", length: 2 };
  if (style !== 'QUOTE_DOUBLE' || source[at] !== '\\') return { text: source.charAt(at), length: 1 };
  escaped.lastIndex = at;
  const [whole = source.charAt(at), two, four, eight] = escaped.exec(source) ?? [];
  const code = two ?? four ?? eight;
  if (code !== undefined) {
    const point = Number.parseInt(code, 16);
    return { text: point > 0x10ffff ? '' : String.fromCodePoint(point), length: whole.length };
  }
  const short = whole.charAt(1);
  return { text: shortEscapes[short] ?? short, length: whole.length };
}
