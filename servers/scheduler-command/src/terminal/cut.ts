// The width of a character on a terminal depends on Unicode tables, which string-width contains.
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ellipsis = '…';

/** Returns the width of a string on a terminal, in columns. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Position of the cut in a long string. IDs and paths are most significant at both ends. */
export type CutPlace = 'end' | 'middle';

/** Returns a string cut to a maximum width, with an ellipsis for the missing part. */
export function cut(text: string, columns: number, place: CutPlace = 'end'): string {
  // Only slightly more than the visible part is scanned: names may be a megabyte.
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

/** Wraps a string into lines of a maximum width. */
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

/** Pads a string with trailing spaces to a width. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}
