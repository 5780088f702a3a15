import { isPointer } from '../syntax/literal.js';
import type { Level } from '../syntax/dialect.js';

// Helpers that read informal syntax, for rules about sources that are not valid filters.

/** Matches a selector, with keys in any kind of quotes. */
export const selectorPattern = String.raw`[a-zA-Z][\w/]*(?:\??\.[a-zA-Z0-9_][\w/]*|\[\s*(?:"[^"\]\n]*"|'[^'\]\n]*'|[0-9]+)\s*\])*`;

/** Matches a literal in any kind of quotes, a number, or a word without quotes. */
export const literalPattern = String.raw`"[^"\n]*"|'[^'\n]*'|${'`'}[^${'`'}\n]*${'`'}|-?[0-9][0-9.]*|[a-zA-Z][\w/.]*`;

const wholeSelector = new RegExp(`^(?:${selectorPattern})$`);

/** Returns an informally written selector in the language's syntax; null for anything else. */
export function readSelector(text: string): string | null {
  const trimmed = text.trim();
  if (!wholeSelector.test(trimmed)) return null;
  return trimmed
    .replaceAll('?.', '.')
    .replace(/\[\s*'([^'"\]\\\n]*)'\s*\]/g, '["$1"]')
    .replace(/\[\s*([0-9]+)\s*\]/g, '.$1');
}

/** Returns the value of a literal: in quotes or backticks, a number, or a word without blanks and brackets. */
export function readLiteral(text: string): string | null {
  const trimmed = text.trim();
  const quoted = /^(?:"((?:[^"\\\n]|\\["'\\/])*)"|'((?:[^'\\\n]|\\["'\\/])*)'|`([^`\n]*)`)$/.exec(trimmed);
  if (quoted === null) return /^[^\s"'`()[\]{},]+$/.test(trimmed) ? trimmed : null;
  if (quoted[3] !== undefined) return quoted[3];
  return (quoted[1] ?? quoted[2] ?? '').replace(/\\(["'\\/])/g, '$1');
}

const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Returns a string as the simplest literal that both dialects parse alike: a number without quotes, anything else in quotes. */
export function writeLiteral(text: string): string {
  return number.test(text) ? text : quoteText(text);
}

/** Returns a string as a quoted literal; in backticks if double quotes would need escapes or would be read as a pointer. */
export function quoteText(text: string): string {
  const needsRaw = /["\\\n]/.test(text) || (text !== '' && isPointer(text));
  if (needsRaw && !/[`\r]/.test(text)) return `\`${text}\``;
  return `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\x22').replace(/\n/g, '\\n').replace(/\r/g, '\\r')}"`;
}

/** Escapes a string so that it matches itself in a pattern. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Matches a regular expression between slashes at the start: `/^web/i`. */
const slashed = /^\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([gimsuy]*)(?![\w/-]|\.(?!test\())/;

/** Returns the pattern between slashes and its source length; null for anything else. */
export function readSlashed(text: string): { readonly pattern: string; readonly length: number } | null {
  const found = slashed.exec(text);
  if (found === null) return null;
  const flags = [...(found[2] ?? '')].filter((flag) => /[ims]/.test(flag)).join('');
  const body = (found[1] ?? '').replaceAll('\\/', '/');
  return { pattern: flags === '' ? body : `(?${flags})${body}`, length: found[0].length };
}

const closers: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/**
 * Returns the offset after the bracket that closes the one at `start`; -1 if it is not closed. Brackets in quotes are ignored.
 */
export function closingEnd(text: string, start: number): number {
  const open: string[] = [];
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"' || character === "'" || character === '`') {
      const end = text.indexOf(character, at + 1);
      if (end === -1) return -1;
      at = end;
      continue;
    }
    const closer = closers.get(character);
    if (closer !== undefined) open.push(closer);
    else if (character === ')' || character === ']' || character === '}') {
      if (open.pop() !== character) return -1;
      if (open.length === 0) return at + 1;
    }
  }
  return -1;
}

/** Returns the items of a list, split at commas outside of brackets and quotes. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/["'`]/.test(character)) {
      const end = text.indexOf(character, at + 1);
      if (end !== -1) at = end;
    } else if (closers.has(character)) {
      const end = closingEnd(text, at);
      if (end !== -1) at = end - 1;
    } else if (character === ',') {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = text.slice(from).trim();
  return last === '' && parts.length === 0 ? [] : [...parts, last];
}

/** Matches a selector at the end of the preceding source; group 1 is the whole selector. */
export const selectorAtEnd = /([a-zA-Z][\w/]*(?:\.[\w/]+|\["[^"\]]*"\])*)\s*$/;

/** Returns a test for the beginning of a string, as it is written after the field. */
export function prefixTest(text: string, level: Level): string {
  return level > 0 ? `starts with ${quoteText(text)}` : `matches ${quoteText(`^${escapePattern(text)}`)}`;
}

/** Returns a test for the end of a string, as it is written after the field. */
export function suffixTest(text: string, level: Level): string {
  return level > 0 ? `ends with ${quoteText(text)}` : `matches ${quoteText(`${escapePattern(text)}$`)}`;
}
