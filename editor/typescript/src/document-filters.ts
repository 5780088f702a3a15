import { visit } from 'jsonc-parser';
import type { Level, Schema } from 'tamis';
import type { FilterText } from './find-filters.js';
import { escape, joinPieces, type Piece, type SourceRange } from './literal-text.js';
import { placesOf } from './places-of.js';
import { yamlStrings } from './yaml-strings.js';

/** What is known of the filters of a document. */
export interface DocumentFilters {
  readonly schema: Schema | null;
  readonly level?: Level;
  /** Where in JSON or YAML they are: keys from the top, `*` for any key or element. Null where the whole text is one. */
  readonly at: readonly string[] | null;
  /** Both have comments and commas after the last element, as the files of settings of editors do. */
  readonly syntax: 'json' | 'yaml';
}

/** A filter in a document. */
export interface DocumentFilter extends FilterText {
  /** What its characters are in, without quotes. */
  readonly within: SourceRange;
}

/** The part of a document that a filter is written in. */
export interface DocumentPiece extends Piece {
  readonly within: SourceRange;
}

/** The filters of a document, in its order. What is no JSON or YAML has none: others say so. */
export function filtersOfDocument(text: string, known: DocumentFilters): readonly DocumentFilter[] {
  const { schema, level, at } = known;
  return piecesOf(text, at, known.syntax).map((piece) => ({
    literal: joinPieces([piece]),
    within: piece.within,
    schema,
    holes: [],
    ...(level !== undefined && { level }),
  }));
}

function piecesOf(text: string, at: readonly string[] | null, syntax: 'json' | 'yaml'): DocumentPiece[] {
  if (at === null) return [wholeText(text)];
  try {
    const found = syntax === 'json' ? jsonStrings(text, at) : yamlStrings(text, at);
    return found.sort((a, b) => a.within.start - b.within.start);
  } catch (error) {
    // Nested deeper than there is a stack for.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** A file that is a filter; a byte order mark and the line break at its end are not part of it. */
function wholeText(text: string): DocumentPiece {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const filter = text.slice(start).replace(/\r?\n$/, '');
  return {
    text: filter,
    within: { start, end: start + filter.length },
    placeAt: (offset) => start + offset,
    write: (piece) => piece,
  };
}

function jsonStrings(text: string, at: readonly string[]): DocumentPiece[] {
  const found: DocumentPiece[] = [];
  const isOnTheWay = (path: readonly (string | number)[]): boolean =>
    path.length <= at.length && path.every((key, depth) => at[depth] === '*' || at[depth] === String(key));
  visit(text, {
    // Nothing in a skipped object is reported.
    onObjectBegin: (_offset, _length, _line, _character, path) => isOnTheWay(path()),
    onArrayBegin: (_offset, _length, _line, _character, path) => isOnTheWay(path()),
    onLiteralValue(value: unknown, offset, length, _line, _character, path) {
      const way = path();
      if (typeof value !== 'string' || way.length !== at.length || !isOnTheWay(way)) return;
      const isClosed = length > 1 && isQuoteAt(text, offset + length - 1);
      found.push(jsonPiece(text, value, { start: offset + 1, end: offset + length - (isClosed ? 1 : 0) }));
    },
  });
  return found;
}

/** Whether a quote closes a string: an odd number of backslashes makes it one of its characters. */
function isQuoteAt(text: string, at: number): boolean {
  let slashes = at;
  while (text[slashes - 1] === '\\') slashes -= 1;
  return text[at] === '"' && (at - slashes) % 2 === 0;
}

function jsonPiece(source: string, text: string, within: SourceRange): DocumentPiece {
  const placeAt = placesOf(source, text, within, 'QUOTE_DOUBLE');
  return { text, within, placeAt, write: (piece) => escape(piece, '"') };
}
