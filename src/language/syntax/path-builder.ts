import type { Span } from '../diagnostics/span.js';
import type { Selector, Value } from './ast.js';
import { makeSelector, makeSpan, makeValue } from './factory.js';
import { fail } from './failure.js';
import { pointerSegments } from './literal.js';
import { decodeLiteral } from './read-value.js';
import { isWordCharacter, wordEnd } from './characters.js';
import { endOf, type Lexeme, spanOf } from './tokens.js';

/** Collects the parts of paths one after another. Each path becomes a selector or a bare value. Paths do not nest. */
export class PathBuilder {
  private path: string[] = [];
  private partSpans: Span[] = [];
  private isWellFormed = true;
  private from = 0;
  private end = 0;
  /** Whether it has a part that no bare value has: a name that begins with an underscore, or a key before all names. */
  private isSelector = false;

  constructor(private readonly text: string) {}

  /** Starts a path with its first token, a name or a bracket. */
  start({ startOffset }: Lexeme): void {
    this.path = [];
    this.partSpans = [];
    this.isWellFormed = true;
    this.from = startOffset;
    this.isSelector = false;
  }

  addName(name: Lexeme): void {
    if (name.image.charCodeAt(0) === 0x5f) this.isSelector = true;
    this.add(name.image, spanOf(name));
  }

  /** Adds `.0`: the token includes the blanks that `standard` allows after the dot. */
  addIndex(index: Lexeme): void {
    const digits = index.image.slice(1).trimStart();
    const end = endOf(index);
    if (isWordCharacter(this.text.charCodeAt(end))) {
      fail('no-match', 'operator', makeSpan(end, wordEnd(this.text, end)), end);
    }
    this.add(digits, makeSpan(end - digits.length, end));
  }

  addKey(key: Lexeme): void {
    const { text, wellFormed } = decodeLiteral(key);
    this.isWellFormed &&= wellFormed;
    if (this.path.length === 0) this.isSelector = true;
    this.add(text, spanOf(key));
  }

  endKey(bracket: Lexeme): void {
    this.end = endOf(bracket);
  }

  private add(text: string, span: Span): void {
    this.path.push(text);
    this.partSpans.push(span);
    this.end = span.end;
  }

  selector(): Selector {
    return makeSelector('bexpr', this.path, this.partSpans, this.span());
  }

  /** Returns the span of the path if some part of it can only be in a selector, so that it is not a value; else null. */
  spanOfSelector(): Span | null {
    return this.isSelector ? this.span() : null;
  }

  /** Returns the path as a value: its parts joined by dots. */
  bareValue(): Value {
    return makeValue(this.path.join('.'), this.isWellFormed, false, 'bare', this.span());
  }

  private span(): Span {
    return makeSpan(this.from, this.end);
  }
}

/** Returns the selector for a JSON pointer in double quotes. */
export function readPointer(token: Lexeme): Selector {
  const span = spanOf(token);
  const body = token.image.slice(1, -1);
  const spans: Span[] = [];
  let at = span.start + 1;
  for (const segment of body.split('/').slice(body === '' ? 0 : 1)) {
    const start = body === '' ? at : at + 1;
    at = start + segment.length;
    spans.push(makeSpan(start, at));
  }
  return makeSelector('pointer', pointerSegments(body), spans, span);
}
