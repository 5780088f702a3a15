import { positionAt } from './source.js';
import type { Span } from './span.js';

/** Longest stretch of a line that a frame shows; more is cut on the side that is further from the caret. */
const frameWidth = 96;
const ellipsis = '…';

/**
 * The line of `text` that holds `span`, with carets under the span and `label` behind them:
 *
 * ```text
 *   1 | Status = "running"
 *     |        ^ expected == or !=
 * ```
 *
 * Tabs are shown as one blank and other control characters as `·`, so that carets stand where they should. A span
 * over several lines is marked to the end of its first one.
 */
export function renderFrame(text: string, span: Span, label: string): string {
  const start = Math.min(Math.max(span.start, 0), text.length);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', start);
  const lineEnd = newline === -1 ? text.length : newline;
  const end = Math.min(Math.max(span.end, start), lineEnd);

  const window = clip(lineStart, lineEnd, start);
  const before = visible(text.slice(window.start, start));
  const marked = visible(text.slice(start, Math.min(end, window.end)));
  const after = visible(text.slice(Math.min(end, window.end), window.end));

  const head = window.start > lineStart ? ellipsis : '';
  const tail = window.end < lineEnd ? ellipsis : '';
  const gutter = String(positionAt(text, start).line);
  const indent = ' '.repeat(displayWidth(head + before));
  const carets = '^'.repeat(Math.max(1, displayWidth(marked)));
  const code = `  ${gutter} | ${head}${before}${marked}${after}${tail}`.trimEnd();
  return `${code}\n  ${' '.repeat(gutter.length)} | ${indent}${carets}${label === '' ? '' : ` ${label}`}`;
}

/** The part of a line to show: all of it when it fits, else a window around `focus`, never through a code point. */
function clip(lineStart: number, lineEnd: number, focus: number): Span {
  if (lineEnd - lineStart <= frameWidth) return { start: lineStart, end: lineEnd };
  const start = Math.min(
    Math.max(lineStart, focus - frameWidth / 2),
    Math.max(lineStart, lineEnd - frameWidth),
  );
  return { start, end: Math.min(lineEnd, start + frameWidth) };
}

function visible(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters would move the caret or the terminal
  return text
    .replace(/\t/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '·');
}

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]$/u;
const combining = /^\p{M}$/u;

/** Columns that a monospaced terminal gives the text: two for wide characters and emoji, none for combining marks. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (combining.test(character)) continue;
    width += wide.test(character) || (character.codePointAt(0) ?? 0) >= 0x1f300 ? 2 : 1;
  }
  return width;
}
