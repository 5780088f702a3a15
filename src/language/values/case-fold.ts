/**
 * Case-insensitive comparison of strings by simple case folding, like `(?i)` in patterns. Both strings are folded and then
 * compared. Folding keeps the number of UTF-16 units.
 */
import { foldCode } from './pattern/fold.js';

/** Maximum cost of folding a character, in units of 6 ns. */
export const foldWeight = 8;

/** Returns the string with each code point replaced by the representative of all code points that differ only in case. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  let folded = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const other = foldCode(code);
    folded += other === code ? character : String.fromCodePoint(other);
  }
  return folded;
}

const beyondAscii = /[^\0-\x7f]/;

function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

/** Whether a string equals a folded string after folding. */
export function equalsFolded(text: string, folded: string): boolean {
  return text.length === folded.length && hasFoldedAt(text, folded, 0);
}

/**
 * Whether a folded string occurs at an index, which must not exceed the length of the string. Reads no further than necessary.
 */
export function hasFoldedAt(text: string, folded: string, start: number): boolean {
  const { length } = folded;
  for (let at = 0; at < length; at += 1) {
    const unit = text.charCodeAt(start + at);
    const expected = folded.charCodeAt(at);
    if (unit === expected && (unit < 0xd800 || unit > 0xdbff)) continue;
    if (unit < 0x80) {
      if (unit < 0x61 || unit > 0x7a || unit - 0x20 !== expected) return false;
      continue;
    }
    // Half of a surrogate pair at the end is not folded, because its other half is outside of the compared range.
    const code = at + 1 < length ? (text.codePointAt(start + at) ?? unit) : unit;
    if (foldCode(code) !== (folded.codePointAt(at) ?? expected)) return false;
    if (code > 0xffff) at += 1;
  }
  return true;
}
