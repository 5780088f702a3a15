import type ts from 'typescript';

/** A text of a program as its program sees it, and where in the source each part of it is written. */
export interface LiteralText {
  readonly text: string;
  /** Where in the source the character at an offset of the text begins; for its length, where the text ends. */
  sourceAt(offset: number): number;
  /** How a piece of text is written where the character at `offset` is; null where it cannot stand there as it is. */
  write(piece: string, offset: number): string | null;
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
  return collect(ts, expression, resolve, parts, 0) ? join(parts) : null;
}

interface Piece {
  readonly text: string;
  /** Where each character begins in the source, and where the last one ends. */
  readonly places: readonly number[];
  readonly quote: string;
}

/** Constants that name constants, and texts that are joined, no deeper than anybody writes them. */
const mostDepth = 64;

function collect(
  ts: Ts,
  expression: ts.Expression,
  resolve: (name: ts.Identifier) => ts.Expression | null,
  parts: Piece[],
  depth: number,
): boolean {
  if (depth > mostDepth) return false;
  if (
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression)
  )
    return collect(ts, expression.expression, resolve, parts, depth + 1);
  if (ts.isStringLiteralLike(expression)) {
    const piece = pieceOf(expression);
    if (piece === null) return false;
    parts.push(piece);
    return true;
  }
  if (ts.isIdentifier(expression)) {
    const value = resolve(expression);
    return value !== null && collect(ts, value, resolve, parts, depth + 1);
  }
  return (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    collect(ts, expression.left, resolve, parts, depth + 1) &&
    collect(ts, expression.right, resolve, parts, depth + 1)
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
  const places: number[] = [];
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
    for (let at = 0; at < made.length; at += 1) places.push(start + index);
  }
  places.push(start + raw.length);
  return { text, places, quote };
}

function join(parts: readonly Piece[]): LiteralText {
  const text = parts.map((part) => part.text).join('');
  const starts: number[] = [];
  let length = 0;
  for (const part of parts) {
    starts.push(length);
    length += part.text.length;
  }
  const partAt = (offset: number): number => {
    let found = 0;
    for (let at = 0; at < parts.length; at += 1) if ((starts[at] ?? 0) <= offset) found = at;
    return found;
  };
  return {
    text,
    sourceAt(offset) {
      const at = partAt(offset);
      const { places = [] } = parts[at] ?? {};
      return places[Math.min(offset - (starts[at] ?? 0), places.length - 1)] ?? 0;
    },
    write: (piece, offset) => escape(piece, parts[partAt(offset)]?.quote ?? "'"),
  };
}

/** A text inside of a literal with this quote. */
export function escape(piece: string, quote: string): string {
  const plain = JSON.stringify(piece).slice(1, -1).replaceAll('\\"', '"');
  const quoted = plain.replaceAll(quote, `\\${quote}`);
  return quote === '`' ? quoted.replaceAll('${', '\\${') : quoted;
}
