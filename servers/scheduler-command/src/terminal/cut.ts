// What a character takes on a terminal follows from tables of Unicode: string-width has them.
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ellipsis = '…';

/** Columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Where a text that is too long loses something. IDs and paths tell most at both ends. */
export type CutPlace = 'end' | 'middle';

/** A text in at most so many columns, with an ellipsis where something is missing. */
export function cut(text: string, columns: number, place: CutPlace = 'end'): string {
  // No text is gone through that is much longer than what is shown of it: names may be a megabyte.
  const max = Math.max(64, columns * 16);
  if (text.length <= max && widthOf(text) <= columns) return text;
  if (columns <= 1) return columns === 1 ? ellipsis : '';
  const width = columns - 1;
  const front = place === 'middle' ? Math.ceil(width / 2) : width;
  const head = take([...split(text.slice(0, max))], front);
  const tail = place === 'middle' ? take([...split(text.slice(-max))].reverse(), width - front) : [];
  return `${head.join('')}${ellipsis}${tail.reverse().join('')}`;
}

function* split(text: string): Iterable<string> {
  for (const { segment } of graphemes.segment(text)) yield segment;
}

function take(parts: readonly string[], columns: number): string[] {
  const taken: string[] = [];
  let left = columns;
  for (const part of parts) {
    left -= widthOf(part);
    if (left < 0) break;
    taken.push(part);
  }
  return taken;
}

/** A text in lines of at most so many columns, all of it. */
export function wrap(text: string, columns: number): string[] {
  const lines = [''];
  let left = columns;
  for (const part of split(text)) {
    const width = widthOf(part);
    if (width > left && lines.at(-1) !== '') {
      lines.push('');
      left = columns;
    }
    lines[lines.length - 1] += part;
    left -= width;
  }
  return lines;
}

/** A text with blanks behind it, up to so many columns. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
