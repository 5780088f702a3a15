import { interpolated } from './hcl-literals.js';
import type { SourceText } from './source-text.js';

const escapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
]);

const plainText = /[^"\\\n$%]+/y;
const plainLines = /[^$%]+/y;
/** A directive of HCL 2, which may contain quotes. */
const directive = /%\{\s*~?\s*(?:if|else|endif|for|endfor)\b/y;
const codeEscape = /\\(?:[0-7]{3}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})/y;

/**
 * Reads a quoted string with Go's escapes. In version 1 the content of `${...}` is kept unchanged, quotes included.
 *
 * @param computed receives the interpolations that would need to be evaluated
 */
export function readQuoted(source: SourceText, computed: string[] = []): string {
  const start = source.at;
  source.at += 1;
  let text = '';
  while (!source.skip('"')) {
    const plain = source.take(plainText);
    if (plain !== null) text += plain;
    else if (source.peek() === '$' || source.peek() === '%') text = readTemplate(source, text, computed);
    else if (source.peek() === '\\') text += readEscape(source);
    else source.fail('this string has no closing quote on its line', start);
  }
  return text;
}

function readEscape(source: SourceText): string {
  const simple = escapes.get(source.text.charAt(source.at + 1));
  if (simple !== undefined) {
    source.at += 2;
    return simple;
  }
  const start = source.at;
  const written = source.take(codeEscape);
  if (written === null) {
    return source.fail('unknown escape in a string: write a backslash as \\\\');
  }
  const octal = /^\\[0-7]/.test(written);
  const code = octal ? Number.parseInt(written.slice(1), 8) : Number.parseInt(written.slice(2), 16);
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code > 0x10ffff || surrogate) return source.fail('this escape is no character', start);
  return String.fromCodePoint(code);
}

const templateEscape = /\$\$\{|%%\{/y;
const blanks = /\s+/y;
/** Matches a string within an interpolation. Braces in it do not count. */
const innerText = /"(?:[^"\\\n]|\\.)*"/y;

/**
 * Reads a template that begins with `$` or `%`, and returns its source. A single `$` is plain text. Interpolations `${` and
 * directives of HCL 2 end with their own brace.
 */
function readTemplate(source: SourceText, before: string, computed: string[], failAt = source): string {
  const start = source.at;
  const escape = source.isHcl2 ? source.take(templateEscape) : null;
  if (escape !== null) return before + escape.slice(1);
  const isDirective = source.isHcl2 && source.take(directive) !== null;
  source.at = start + 1;
  if (source.text.charAt(start) === '%' && !isDirective) return `${before}%`;
  if (!source.skip('{')) return `${before}$`;
  for (let depth = 1; depth > 0; source.at += 1) {
    const next = source.peek();
    if (next === '')
      failAt.fail(
        `this ${source.text.slice(start, start + 2)} has no closing brace`,
        failAt === source ? start : failAt.at,
      );
    if (next === '{') depth += 1;
    if (next === '}') depth -= 1;
    if (next === '\\') source.at += 1;
    if (source.isHcl2 && source.take(innerText) !== null) source.at -= 1;
  }
  const written = source.text.slice(start, source.at);
  if (!source.isHcl2) return before + written;
  // `~` removes the blanks on its side.
  const [, left = '', inner = '', right = ''] = /^..(~?)\s*(.*?)\s*(~?)\}$/s.exec(written) ?? [];
  const text = isDirective ? null : interpolated(inner);
  if (text === null) computed.push(written);
  if (right !== '') source.take(blanks);
  return (left === '' ? before : before.trimEnd()) + (text ?? written);
}

/** Replaces the interpolations of a heredoc of HCL 2. */
function expand(text: string, source: SourceText, computed: string[]): string {
  const inner = source.derive(text);
  let result = '';
  while (inner.at < text.length) {
    const plain = inner.take(plainLines);
    result = plain === null ? readTemplate(inner, result, computed, source) : result + plain;
  }
  return result;
}

const opening = /<<-?[\p{L}\p{Nd}_]+\r?\n/uy;
const line = /[^\n]*(?:\n|$)/y;

export function isHeredoc(source: SourceText): boolean {
  const { at } = source;
  const found = source.take(opening) !== null;
  source.at = at;
  return found;
}

/**
 * Reads a heredoc. The end marker may be indented. With `<<-`, HCL 1 removes its indentation from every line, unless a line has
 * less. HCL 2 removes the minimum indentation of all lines that are not blank.
 */
export function readHeredoc(source: SourceText, computed: string[] = []): string {
  const start = source.at;
  const head = source.take(opening);
  if (head === null) return source.fail('a heredoc begins with << or <<-, a name, and the end of the line');
  const marker = head.replace(/^<<-?/, '').trimEnd();
  const body = source.at;
  for (;;) {
    const lineStart = source.at;
    const text = source.take(line) ?? '';
    if (isMarker(text, marker)) {
      const whole = endHeredoc(source, head, body, lineStart, marker);
      return source.isHcl2 ? expand(whole, source, computed) : whole;
    }
    if (source.at >= source.text.length) source.fail(`this heredoc has no line ${marker} at its end`, start);
    if (source.at - body > source.limits.maxHeredocLength) {
      source.fail(`this heredoc is longer than ${source.limits.maxHeredocLength} characters`, start);
    }
  }
}

/** Whether a line is the end marker, with spaces before it and carriage returns after it. */
function isMarker(text: string, marker: string): boolean {
  let end = text.endsWith('\n') ? text.length - 1 : text.length;
  while (text.charAt(end - 1) === '\r') end -= 1;
  return text.slice(0, end).trimStart() === marker;
}

function endHeredoc(
  source: SourceText,
  head: string,
  body: number,
  lineStart: number,
  marker: string,
): string {
  const indent = source.text.slice(lineStart, source.text.indexOf(marker, lineStart));
  source.at = lineStart + indent.length + marker.length;
  const text = source.text.slice(body, lineStart);
  if (source.isHcl2) return head.startsWith('<<-') ? withoutIndentation(text) : text;
  if (!head.startsWith('<<-')) return text + indent;
  const lines = text.split('\n').slice(0, -1);
  if (!lines.every((row) => row.startsWith(indent))) return text;
  return lines.map((row) => `${row.slice(indent.length)}\n`).join('');
}

/** Removes the minimum indentation. Blank lines are ignored and unchanged. */
function withoutIndentation(text: string): string {
  const lines = text.split('\n');
  const min = lines.reduce((max, row) => {
    const rest = row.trimStart();
    return rest === '' ? max : Math.min(max, row.length - rest.length);
  }, Infinity);
  return lines.map((row) => (row.trimStart() === '' ? row : row.slice(min))).join('\n');
}
