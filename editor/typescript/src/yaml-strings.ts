import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  parseAllDocuments,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml';
import type { DocumentPiece } from './document-filters.js';
import { escape } from './literal-text.js';
import { placesOf } from './places-of.js';

/**
 * The strings of YAML at a path: keys from the top, `*` for any. An alias is what its anchor is, and `<<` adds the pairs of other
 * maps; a string with several aliases is reported once.
 */
export function yamlStrings(text: string, at: readonly string[]): DocumentPiece[] {
  if (!isNested(text)) return [];
  const documents = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  return Array.isArray(documents)
    ? documents.flatMap((document) => new Walk(text, at, document).strings())
    : [];
}

/** Brackets, signs of a line and blanks in front of it, more than which the reader of YAML may have no stack for. */
const maxBrackets = 500;
const maxCharacters = 500;
const maxBlanks = 1_000;

/** Whether a text is nested no deeper than can be read. Working that out takes no stack. */
function isNested(text: string): boolean {
  let brackets = 0;
  let characters = 0;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') brackets += 1;
    else if (token === ']' || token === '}') brackets = Math.max(brackets - 1, 0);
    else if (token === '-' || token === '?' || token === ':') characters += brackets === 0 ? 1 : 0;
    if (isLineStart && token.length > maxBlanks && /^ +$/.test(token)) return false;
    isLineStart = token.endsWith('\n');
    if (isLineStart) characters = 0;
    if (brackets > maxBrackets || characters > maxCharacters) return false;
  }
  return true;
}

/** Maximum number of pairs that `<<` adds, in a whole document: a few lines can produce any number of them. */
const maxMerged = 1_000_000;

class Walk {
  private readonly found: DocumentPiece[] = [];
  /** What an alias means: the anchor of its name that was last before it. */
  private readonly anchored = new Map<Alias, Node>();
  /** What was walked through, by how many keys led there. */
  private readonly seen: readonly Set<Node>[];
  private merged = 0;

  constructor(
    private readonly source: string,
    private readonly at: readonly string[],
    private readonly document: Document.Parsed,
  ) {
    this.seen = [...at, ''].map(() => new Set());
  }

  strings(): DocumentPiece[] {
    const { contents } = this.document;
    if (this.source.includes('*')) this.findAnchors();
    if (contents !== null) this.visit(contents, 0);
    return this.found;
  }

  private findAnchors(): void {
    const named = new Map<string, Node>();
    visit(this.document, {
      Node: (_, node) => {
        if (isAlias(node)) {
          const target = named.get(node.source);
          if (target !== undefined) this.anchored.set(node, target);
        } else if (node.anchor !== undefined) named.set(node.anchor, node);
      },
    });
  }

  private meant(node: unknown): Node | null {
    return isAlias(node) ? (this.anchored.get(node) ?? null) : isNode(node) ? node : null;
  }

  private visit(given: unknown, depth: number): void {
    const node = this.meant(given);
    const seen = this.seen[depth];
    if (node === null || seen === undefined || seen.has(node)) return;
    seen.add(node);
    const key = this.at[depth];
    if (key === undefined) {
      if (isScalar(node) && typeof node.value === 'string')
        this.found.push(pieceOf(this.source, node as Scalar<string>));
    } else if (isMap(node)) {
      this.visitPairs(node, key, depth, new Set(), new Set());
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries())
        if (key === '*' || key === String(index)) this.visit(item, depth + 1);
    }
  }

  /**
   * @param taken names that are given already: nothing that is merged gives them again
   * @param through the maps on this way, each once
   */
  private visitPairs(map: Node, key: string, depth: number, taken: Set<string>, through: Set<Node>): void {
    if (!isMap(map) || through.has(map)) return;
    through.add(map);
    const isMerged = through.size > 1;
    const own: string[] = [];
    const others: unknown[] = [];
    for (const pair of map.items) {
      if (isMerged && (this.merged += 1) > maxMerged) return;
      const name = this.nameOf(pair);
      if (name === null || taken.has(name)) continue;
      if (name === '<<') others.push(pair.value);
      else own.push(name);
      if (name !== '<<' && (key === '*' || name === key)) this.visit(pair.value, depth + 1);
    }
    // Of several that have a name, the first one gives it.
    for (const name of own) taken.add(name);
    for (const other of others.map((each) => this.meant(each))) {
      for (const each of isSeq(other) ? other.items : [other]) {
        const source = this.meant(each);
        if (source !== null) this.visitPairs(source, key, depth, taken, through);
      }
    }
  }

  private nameOf({ key }: Pair): string | null {
    const node = this.meant(key);
    return isScalar(node) ? String(node.value) : null;
  }
}

function pieceOf(source: string, { value, range, type = 'PLAIN' }: Scalar<string>): DocumentPiece {
  const [start = 0, valueEnd = 0] = range ?? [];
  const isQuoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  // After the quote; after the line of a block's `|` or `>`, which may have a comment.
  const from = isQuoted ? start + 1 : isBlock ? source.indexOf('\n', start) + 1 : start;
  // Trailing input after a plain value is not part of it in YAML, but part of the filter.
  const whitespace =
    type === 'PLAIN' ? (/^[ \t]+(?=\r?\n|$)/.exec(source.slice(valueEnd, valueEnd + 1_000))?.[0] ?? '') : '';
  const isClosed = isQuoted && valueEnd - 1 > start && source[valueEnd - 1] === source[start];
  const within = { start: from, end: isClosed ? valueEnd - 1 : valueEnd };
  const text = value + whitespace;
  const placeAt = placesOf(source, value, within, type, whitespace.length);
  /** Whether a part is in one line, and what takes its place can be: no line begins with a blank, or in the first column. */
  function fits(piece: string, begin: number, end: number): boolean {
    const before = source.slice(from, placeAt(begin));
    if (!isOneLine.test(source.slice(placeAt(begin), placeAt(end)))) return false;
    return !/[\r\n]\s*$/.test(before) || (/[\r\n][ \t]+$/.test(before) && /^\S/.test(piece));
  }
  return {
    text,
    within: { start: from, end: within.end + whitespace.length },
    placeAt,
    write(piece, begin, end) {
      if (!fits(piece, begin, end)) return null;
      if (type === 'QUOTE_DOUBLE') return escape(piece, '"');
      if (type === 'QUOTE_SINGLE') return isOneLine.test(piece) ? piece.replaceAll("'", "''") : null;
      const made = text.slice(0, begin) + piece + text.slice(end);
      // A plain value with a quote in front, `: ` or ` #` would be another one; a block with a blank in front has less of it.
      if (type === 'PLAIN')
        return isPlain.test(piece) && startsPlain.test(made) && isString(made) ? piece : null;
      const isInside = /^\S/.test(text) && end <= text.trimEnd().length;
      return isInside && isOneLine.test(piece) && /^\S/.test(made) ? piece : null;
    },
  };
}

/** Whether a plain value is a string, and no number, `true`, or `null`. What has several lines always is. */
function isString(plain: string): boolean {
  if (!isOneLine.test(plain)) return true;
  const { contents } = parseDocument(plain, { logLevel: 'silent' });
  return isScalar(contents) && contents.value === plain.trim();
}

const isOneLine = /^[^\r\n]*$/;
const isPlain = /^(?:[^\r\n:#,[\]{}]|:(?=[^\s,[\]{}]))*$/;
const startsPlain = /^[A-Za-z0-9_/(]/;
