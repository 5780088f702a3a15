import type { Level, Schema } from 'tamis';
import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Node, type Scalar } from 'yaml';
import type { FilterText } from './find-filters.js';
import { escape, type LiteralText } from './literal-text.js';

/** What is known of the filters of a document. */
export interface DocumentFilters {
  readonly schema: Schema | null;
  readonly level?: Level;
  /** Where in JSON or YAML they are: keys from the top, `*` for any key or element. Null where the whole text is one. */
  readonly at: readonly string[] | null;
}

/** The filters of a document. What is no JSON or YAML has none: others say so. */
export function filtersOfDocument(text: string, { schema, level, at }: DocumentFilters): FilterText[] {
  const literals = at === null ? [wholeText(text)] : stringsAt(text, at);
  return literals.map((literal) => ({ literal, schema, holes: [], ...(level !== undefined && { level }) }));
}

/** A file that is a filter; a byte order mark and the line break at its end are none of it. */
function wholeText(text: string): LiteralText {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const filter = text.slice(start).replace(/\r?\n$/, '');
  return {
    text: filter,
    sourceAt: (offset) => start + Math.min(offset, filter.length),
    write: (piece) => piece,
  };
}

function stringsAt(text: string, at: readonly string[]): LiteralText[] {
  const found: LiteralText[] = [];
  const visit = (node: Node | null | undefined, depth: number): void => {
    const key = at[depth];
    if (key === undefined) {
      if (isScalar(node) && typeof node.value === 'string')
        found.push(literalOf(text, node as Scalar<string>));
    } else if (isMap(node)) {
      for (const { key: name, value } of node.items) {
        const isNamed = isScalar(name) && String(name.value) === key;
        if (key === '*' || isNamed) visit(value as Node | null, depth + 1);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries())
        if (key === '*' || key === String(index)) visit(item as Node | null, depth + 1);
    }
  };
  const documents = parseAllDocuments(text, { lineCounter: new LineCounter(), keepSourceTokens: false });
  for (const document of Array.isArray(documents) ? documents : []) visit(document.contents, 0);
  return found;
}

function literalOf(source: string, { value, range, type }: Scalar<string>): LiteralText {
  const [start = 0, valueEnd = 0] = range ?? [];
  const isQuoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  // Behind the quote; behind the line of a block's `|` or `>`, which may have a comment.
  const from = isQuoted ? start + 1 : isBlock ? source.indexOf('\n', start) + 1 : start;
  const blanks =
    type === 'PLAIN' ? (/^[ \t]+(?=\r?\n|$)/.exec(source.slice(valueEnd, valueEnd + 1_000))?.[0] ?? '') : '';
  const end = isQuoted ? valueEnd - 1 : valueEnd;
  const places = placesOf(source, value, from, end, type ?? 'PLAIN');
  for (let at = 1; at <= blanks.length; at += 1) places.push(end + at);
  return {
    // What is being typed behind a plain value is no part of it to YAML, and of the filter it is.
    text: value + blanks,
    sourceAt: (offset) => places[Math.min(offset, places.length - 1)] ?? from,
    write(piece, offset) {
      if (type === 'QUOTE_DOUBLE') return escape(piece, '"');
      if (type === 'QUOTE_SINGLE') return isOneLine.test(piece) ? piece.replaceAll("'", "''") : null;
      // A plain value with a quote in front, `: ` or ` #` would be another one.
      if (type === 'PLAIN')
        return isPlain.test(piece) && (offset > 0 || startsPlain.test(piece)) ? piece : null;
      return isOneLine.test(piece) ? piece : null;
    },
  };
}

const isOneLine = /^[^\r\n]*$/;
const isPlain = /^(?:[^\r\n:#,[\]{}]|:(?=[^\s,[\]{}]))*$/;
const startsPlain = /^(?:[A-Za-z0-9_/(]|$)/;

/** An escape of JSON and YAML (YAML 1.2, 5.7), a folded line, or a character. */
const escaped = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|\r?\n[ \t]*|[^])|[^]/y;

/**
 * Where each character of a value begins in the source, and where the last one ends. A character of the source that the value
 * does not have is a quote, an indentation or a part of an escape.
 */
function placesOf(source: string, value: string, start: number, end: number, type: string): number[] {
  const places: number[] = [];
  let at = start;
  for (let index = 0; index < value.length;) {
    const next = unitAt(source, at, type);
    if (at >= end) {
      places.push(end);
      index += 1;
      continue;
    }
    const isNext = next.text !== '' && value.startsWith(next.text, index);
    if (isNext || isFold(next.text, value.charAt(index))) {
      for (let each = 0; each < next.text.length; each += 1) places.push(at);
      index += next.text.length;
    }
    at += next.length;
  }
  places.push(Math.min(at, end));
  return places;
}

function isFold(written: string, character: string): boolean {
  return character === ' ' && /^\s$/.test(written);
}

interface Unit {
  /** What it stands for; a character that is never in a value for what stands for nothing. */
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

function unitAt(source: string, at: number, type: string): Unit {
  if (type === 'QUOTE_SINGLE' && source.startsWith("''", at)) return { text: "'", length: 2 };
  if (type !== 'QUOTE_DOUBLE' || source[at] !== '\\') return { text: source.charAt(at), length: 1 };
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
