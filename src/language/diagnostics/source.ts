/** A position in the source for people: line and column from 1, the column in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of a UTF-16 offset. Lines end at `\n`; offsets past the end count as the end. */
export function positionAt(text: string, offset: number): Position {
  const end = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: codePointsBetween(text, lineStart, end) + 1 };
}

/** Returns the UTF-8 byte offset of a UTF-16 offset, which go-bexpr prints in parentheses. */
export function byteOffsetAt(text: string, offset: number): number {
  let bytes = 0;
  for (const character of text.slice(0, offset)) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Number of code points between two UTF-16 offsets. */
function codePointsBetween(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    const isLowHalf = unit >= 0xdc00 && unit <= 0xdfff && at > start && isHighHalf(text.charCodeAt(at - 1));
    if (!isLowHalf) count += 1;
  }
  return count;
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
