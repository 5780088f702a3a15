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
/** A directive of HCL 2, whose quotes are its own. */
const directive = /%\{\s*~?\s*(?:if|else|endif|for|endfor)\b/y;
const codeEscape = /\\(?:[0-7]{3}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})/y;

/** Reads a quoted string with Go's escapes. The content of `${...}` is kept unchanged, quotes included. */
export function readQuoted(source: SourceText): string {
  const start = source.at;
  source.at += 1;
  let text = '';
  while (!source.skip('"')) {
    const plain = source.take(plainText);
    if (plain !== null) text += plain;
    else if (source.peek() === '$' || source.peek() === '%') text += readTemplate(source);
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

/** `$` alone is text; `${` begins an interpolation, which ends with its own brace. So does a directive of HCL 2. */
function readTemplate(source: SourceText): string {
  const start = source.at;
  if (source.peek() === '%' && !(source.isHcl2 && source.take(directive) !== null)) {
    source.at = start + 1;
    return '%';
  }
  source.at = start + 1;
  if (!source.skip('{')) return '$';
  for (let depth = 1; depth > 0; source.at += 1) {
    const next = source.peek();
    if (next === '') source.fail(`this ${source.text.slice(start, start + 2)} has no closing brace`, start);
    if (next === '{') depth += 1;
    if (next === '}') depth -= 1;
  }
  return source.text.slice(start, source.at);
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
 * Reads a heredoc. The marker may be indented at its end; with `<<-` its indentation is taken off every line, unless
 * a line has less, as the original parser does. In version 2 it is the least indentation of the lines that are not blank.
 */
export function readHeredoc(source: SourceText): string {
  const start = source.at;
  const head = source.take(opening);
  if (head === null) return source.fail('a heredoc begins with << or <<-, a name, and the end of the line');
  const marker = head.replace(/^<<-?/, '').trimEnd();
  const body = source.at;
  for (;;) {
    const lineStart = source.at;
    const text = source.take(line) ?? '';
    if (isMarker(text, marker)) return endHeredoc(source, head, body, lineStart, marker);
    if (source.at >= source.text.length) source.fail(`this heredoc has no line ${marker} at its end`, start);
    if (source.at - body > source.limits.maxHeredocLength) {
      source.fail(`this heredoc is longer than ${source.limits.maxHeredocLength} characters`, start);
    }
  }
}

/** The marker may follow spaces, and carriage returns may follow it. */
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

/** Blank lines stay as they are, and count for nothing. */
function withoutIndentation(text: string): string {
  const lines = text.split('\n');
  const min = lines.reduce((max, row) => {
    const rest = row.trimStart();
    return rest === '' ? max : Math.min(max, row.length - rest.length);
  }, Infinity);
  return lines.map((row) => (row.trimStart() === '' ? row : row.slice(min))).join('\n');
}
