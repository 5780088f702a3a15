import { isHeredoc, readHeredoc, readQuoted } from './hcl-text.js';
import type { SourceText } from './source-text.js';

// HCL 2 expressions are not evaluated: they are recognised and kept as written.

const word = /[\p{L}_][\p{L}\p{Nd}_-]*/uy;
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null']);
/** The beginning of an HCL 2 expression that cannot be the beginning of an HCL 1 value. */
const beginning = /[(!]|-(?![\d.])|[[{][ \t\r\n]*for[ \t\r\n]/y;
const sameLine = /[ \t\r]+/y;
/** Characters that continue an expression after a value; a slash may begin a comment. */
const operator = /[+*%?<>&|([.-]|\/(?![/*])|==|!=/y;
const comment = /#|\/\/|\/\*/y;

/** Whether an expression follows instead of a literal value. */
export function startsExpression(source: SourceText): boolean {
  const { at } = source;
  const found = source.take(beginning) !== null;
  source.at = at;
  const name = found ? null : source.take(word);
  source.at = at;
  return found || (name !== null && !literals.has(name));
}

/** Whether an operator follows, so that the value that was just read is only the start of an expression. */
export function goesOn(source: SourceText): boolean {
  const { at } = source;
  source.take(sameLine);
  const found = source.take(operator) !== null;
  source.at = at;
  return found;
}

/** Skips an expression and returns its source. The expression ends at the end of the line, unless brackets are open. */
export function takeExpression(source: SourceText): string {
  const start = source.at;
  let depth = 0;
  for (;;) {
    const next = source.peek();
    if (next === '' && depth > 0) source.fail('this expression ends inside brackets', start);
    const isEnd = depth === 0 && (next === '\n' || next === ',' || isClosing(next) || isAt(source, comment));
    if (next === '' || isEnd) return source.text.slice(start, source.at).trimEnd();
    if (next === '"') readQuoted(source);
    else if (isHeredoc(source)) readHeredoc(source);
    else {
      if (next === '(' || next === '[' || next === '{') depth += 1;
      if (isClosing(next)) depth -= 1;
      source.at += 1;
    }
  }
}

function isClosing(character: string): boolean {
  return character === ')' || character === ']' || character === '}';
}

function isAt(source: SourceText, pattern: RegExp): boolean {
  const { at } = source;
  const found = source.take(pattern) !== null;
  source.at = at;
  return found;
}
