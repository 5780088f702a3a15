import { invisibleCharacters } from '../../runtime/invisible-characters.js';
import { positionAt } from './source.js';
import type { Span } from './span.js';

/** Maximum width of the line section shown in a frame; the rest is cut on the side further from the caret. */
const frameWidth = 96;
const ellipsis = '…';

/**
 * Returns the line of `text` that contains `span`, with carets under the span followed by `label`:
 *
 * ```text
 *   1 | Status = "running"
 *     |        ^ expected == or !=
 * ```
 *
 * Tabs are shown as one space and characters that would move the cursor as `·`, so that the carets align. A span over several
 * lines is marked to the end of its first line.
 */
export function renderFrame(text: string, span: Span, label: string): string {
  const position = Math.min(Math.max(span.start, 0), text.length);
  const lineStart = position === 0 ? 0 : text.lastIndexOf('\n', position - 1) + 1;
  const lineEnd = endOfLine(text, position);
  const start = Math.min(position, lineEnd);
  const end = Math.min(Math.max(span.end, start), lineEnd);

  const window = clip(text, lineStart, lineEnd, start);
  const before = visible(text.slice(window.start, start));
  const marked = visible(text.slice(start, Math.min(end, window.end)));
  const after = visible(text.slice(Math.min(end, window.end), window.end));

  const head = window.start > lineStart ? ellipsis : '';
  const tail = window.end < lineEnd ? ellipsis : '';
  const gutter = String(positionAt(text, position).line);
  const indent = ' '.repeat(displayWidth(head + before));
  const carets = '^'.repeat(Math.max(1, displayWidth(marked)));
  const code = `  ${gutter} | ${head}${before}${marked}${after}${tail}`.trimEnd();
  return `${code}\n  ${' '.repeat(gutter.length)} | ${indent}${carets}${label === '' ? '' : ` ${label}`}`;
}

/** Returns where the line of an offset ends: before its `\n` or `\r\n`, or at the end of the source. */
function endOfLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  const end = newline === -1 ? text.length : newline;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** Returns the part of a line to show: all of it if it fits, else a window around `focus`, never splitting a code point. */
function clip(text: string, lineStart: number, lineEnd: number, focus: number): Span {
  if (lineEnd - lineStart <= frameWidth) return { start: lineStart, end: lineEnd };
  const start = Math.min(Math.max(lineStart, focus - frameWidth / 2), lineEnd - frameWidth);
  return { start: boundary(text, start), end: boundary(text, Math.min(lineEnd, start + frameWidth)) };
}

/** Returns the offset itself, or the one before it if it is within a code point. */
function boundary(text: string, offset: number): number {
  return offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff ? offset - 1 : offset;
}

/** Not all terminals combine characters at a joiner. In a frame, whose columns are counted, it is shown as a dot too. */
function visible(text: string): string {
  return escapeControls(text.replaceAll('\t', ' ')).replaceAll('\u200d', '·');
}

/** Replaces invisible characters and those that could move the cursor, change colours or reorder others with a dot each. */
export function escapeControls(text: string): string {
  return text.replace(invisibleCharacters, '·');
}

const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}])$/u;
const combining = /^\p{M}$/u;

/** Number of columns that a monospaced terminal uses for the string: two for wide characters and emoji, none for combining marks. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!combining.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}
