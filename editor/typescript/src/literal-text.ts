import type ts from 'typescript';

/** A text of a program as its program sees it, and where in the source each part of it is written. */
export interface LiteralText {
  readonly text: string;
  /** Where in the source the character at an offset of the text begins; for its length, where the text ends. */
  sourceAt(offset: number): number;
  /** The source position of a part of the string; for a part that is written in several places, the first one. */
  rangeOf(start: number, end: number): SourceRange;
  /** The offset in the text of a place in the source; null for places outside of it. */
  offsetAt(position: number): number | null;
  /**
   * Returns the change of the source after which the string has a piece instead of the characters from `start` to `end`, and is
   * otherwise unchanged; null if no single change does that.
   */
  change(start: number, end: number, piece: string): SourceChange | null;
}

/** UTF-16 offsets in the source. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

export interface SourceChange extends SourceRange {
  readonly text: string;
}

/** A part of a text that is written in one place. */
export interface Piece {
  readonly text: string;
  /** Whether only the running program knows it: its text is a value of its kind. */
  readonly isHole?: boolean;
  /** Where each character begins in the source, and where the last one ends. Never less than the one before. */
  placeAt(offset: number): number;
  /** How a string is written instead of the characters from `start` to `end`; null if that is impossible. */
  write(text: string, start: number, end: number): string | null;
}

type Ts = typeof ts;

/**
 * The text of an expression: a literal, several joined by `+`, or a constant of the same file that is one. Null for what
 * only the running program knows.
 */
export function readLiteralText(
  ts: Ts,
  expression: ts.Expression,
  resolve: (name: ts.Identifier) => ts.Expression | null,
): LiteralText | null {
  const parts: Piece[] = [];
  const known = new Map<ts.Node, Piece>();
  return collect(ts, expression, { resolve, parts, known }, 0) ? joinPieces(parts) : null;
}

/** Constants that name constants, and texts that are joined, no deeper than anybody writes them. */
const maxDepth = 64;

interface Collected {
  readonly resolve: (name: ts.Identifier) => ts.Expression | null;
  readonly parts: Piece[];
  /** By its literal: a constant may occur in a string more than once. */
  readonly known: Map<ts.Node, Piece>;
}

function collect(ts: Ts, expression: ts.Expression, collected: Collected, depth: number): boolean {
  if (depth > maxDepth) return false;
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isTypeAssertionExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isSatisfiesExpression(expression)
  )
    return collect(ts, expression.expression, collected, depth + 1);
  if (ts.isStringLiteralLike(expression)) {
    const piece = collected.known.get(expression) ?? pieceOf(expression);
    if (piece === null) return false;
    collected.known.set(expression, piece);
    collected.parts.push(piece);
    return true;
  }
  if (isRawTemplate(ts, expression)) {
    const piece =
      collected.known.get(expression) ??
      rawPiece(expression.template.getText().slice(1, -1), expression.template.getStart() + 1);
    collected.known.set(expression, piece);
    collected.parts.push(piece);
    return true;
  }
  if (ts.isIdentifier(expression)) {
    const value = collected.resolve(expression);
    return value !== null && collect(ts, value, collected, depth + 1);
  }
  return (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    collect(ts, expression.left, collected, depth + 1) &&
    collect(ts, expression.right, collected, depth + 1)
  );
}

/** `String.raw` without parts. */
function isRawTemplate(ts: Ts, expression: ts.Expression): expression is ts.TaggedTemplateExpression {
  return (
    ts.isTaggedTemplateExpression(expression) &&
    ts.isNoSubstitutionTemplateLiteral(expression.template) &&
    ts.isPropertyAccessExpression(expression.tag) &&
    expression.tag.name.text === 'raw' &&
    ts.isIdentifier(expression.tag.expression) &&
    expression.tag.expression.text === 'String'
  );
}

function pieceOf(literal: ts.StringLiteralLike): Piece | null {
  const source = literal.getText();
  const piece = cook(source.slice(1, -1), literal.getStart() + 1, source.charAt(0));
  // A literal that is not finished has no end to go by.
  return piece.text === literal.text ? piece : null;
}

/** An escape or a character of a JavaScript literal (ECMA-262, 12.9.4 and 12.9.6). */
const written = /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[^]))|\r\n|[^]/g;
const shortEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
  '\n': '',
  '\r': '',
  '\r\n': '',
  '\u2028': '',
  '\u2029': '',
};

function cook(raw: string, start: number, quote: string): Piece {
  let text = '';
  const positions: number[] = [];
  for (const { 0: whole, 1: long, 2: four, 3: two, 4: short, index } of raw.matchAll(written)) {
    const code = long ?? four ?? two;
    const made =
      code !== undefined
        ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
        : short !== undefined
          ? (shortEscapes[short] ?? short)
          : whole === '\r\n' || (whole === '\r' && quote === '`')
            ? '\n'
            : whole;
    text += made;
    for (let at = 0; at < made.length; at += 1) positions.push(start + index);
  }
  positions.push(start + raw.length);
  return {
    text,
    placeAt: (offset) => positions[offset] ?? start + raw.length,
    write(piece, from, to) {
      const before = raw.slice(0, (positions[from] ?? 0) - start);
      const after = raw.slice((positions[to] ?? 0) - start);
      // A NUL in front of a digit would be an octal escape, a dollar in front of a brace a value.
      const first = /\\0$/.test(before) && /^[0-9]/.test(piece) ? `\\x3${piece.charAt(0)}` : '';
      const brace = quote === '`' && before.endsWith('$') && piece.startsWith('{') ? '\\' : '';
      const written = `${first}${brace}${escape(first === '' ? piece : piece.slice(1), quote)}`;
      const isDollar = quote === '`' && piece.endsWith('$') && after.startsWith('{');
      return isDollar ? `${written.slice(0, -1)}\\$` : written;
    },
  };
}

/** A text from the parts that it is written in. */
export function joinPieces(parts: readonly Piece[]): LiteralText {
  const starts: number[] = [];
  let text = '';
  for (const part of parts) {
    starts.push(text.length);
    text += part.text;
  }
  const indexAt = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const position = (index: number, offset: number): number =>
    parts[index]?.placeAt(Math.min(offset - (starts[index] ?? 0), parts[index].text.length)) ?? 0;
  return {
    text,
    sourceAt: (offset) => position(indexAt(offset), offset),
    rangeOf(start, end) {
      const index = indexAt(start);
      return { start: position(index, start), end: position(index, end) };
    },
    offsetAt(source) {
      for (const [index, part] of parts.entries()) {
        const offset = part.isHole === true ? null : offsetIn(part, source);
        if (offset !== null) return (starts[index] ?? 0) + offset;
      }
      return null;
    },
    change(start, end, piece) {
      for (const [index, part] of parts.entries()) {
        const from = start - (starts[index] ?? 0);
        const to = end - (starts[index] ?? 0);
        if (from < 0 || to > part.text.length) continue;
        const isWithin = (offset: number): boolean =>
          offset > 0 && offset < part.text.length && part.placeAt(offset - 1) === part.placeAt(offset);
        // Half of an escape cannot be changed, nor one of two places that are written once.
        if (isWithin(from) || isWithin(to) || parts.indexOf(part) !== parts.lastIndexOf(part)) return null;
        const written = part.write(piece, from, to);
        if (written !== null) return { start: part.placeAt(from), end: part.placeAt(to), text: written };
      }
      return null;
    },
  };
}

/** The offset in a piece of a place in its source; null for places outside of it. */
function offsetIn(piece: Piece, position: number): number | null {
  const { length } = piece.text;
  if (position < piece.placeAt(0) || position > piece.placeAt(length)) return null;
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (piece.placeAt(middle) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A text inside of a literal with this quote. */
export function escape(piece: string, quote: string): string {
  const plain = JSON.stringify(piece).slice(1, -1).replaceAll('\\"', '"');
  // Both end a line to older compilers.
  const oneLine = plain.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const quoted = oneLine.replaceAll(quote, `\\${quote}`);
  return quote === '`' ? quoted.replaceAll('${', '\\${') : quoted;
}

/** A part of a tagged template, between its quotes or values: backslashes belong to the text. */
export function rawPiece(text: string, start: number): Piece {
  return {
    text,
    placeAt: (offset) => start + offset,
    write(piece, from, to) {
      const made = `${text.slice(0, from)}${piece}${text.slice(to)}`;
      return isRaw.test(made) && !piece.includes('\r') ? piece : null;
    },
  };
}

/** Content between the quotes of a template that ends neither it nor the string. */
const isRaw = /^(?:\\[^]|\$(?!\{)|[^\\`$])*$/;

/** A part of a string with a value known only at run time. */
export function holePiece(text: string, { start, end }: SourceRange): Piece {
  return { text, isHole: true, placeAt: (offset) => (offset === 0 ? start : end), write: () => null };
}
