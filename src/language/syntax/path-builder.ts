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
  private end = 0;

  constructor(private readonly text: string) {}

  start(name: Lexeme): void {
    this.path = [];
    this.partSpans = [];
    this.isWellFormed = true;
    this.addName(name);
  }

  addName(name: Lexeme): void {
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

  /** Returns the path as a value: its parts joined by dots. */
  bareValue(): Value {
    return makeValue(this.path.join('.'), this.isWellFormed, false, 'bare', this.span());
  }

  private span(): Span {
    return makeSpan(this.partSpans[0]?.start ?? 0, this.end);
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
