import { parseGlob, type GlobPart } from './glob.js';

/** Returns a pattern that matches the string itself. Equivalent to Go's `regexp.QuoteMeta`. */
export function literalPattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}

/** Returns a pattern anchored at the start, the end or both ends of strings. */
export function anchored(pattern: string, ends: { readonly start: boolean; readonly end: boolean }): string {
  const whole = `${ends.start ? '^' : ''}${pattern}${ends.end ? '$' : ''}`;
  // go-bexpr reads "" as a pointer in some positions.
  return whole === '' ? '^' : whole;
}

/** A glob converted to a pattern. `.` in the pattern matches any character only with the flag `s`. */
export interface GlobPattern {
  readonly pattern: string;
  readonly hasDot: boolean;
  /** Whether the glob matches the empty string. */
  readonly takesEmpty: boolean;
}

/**
 * Converts a glob to a pattern; null if the glob is invalid. At a star that ends or begins the glob, the pattern is not anchored.
 */
export function globPattern(glob: string): GlobPattern | null {
  const parts = parseGlob(glob)?.parts;
  if (parts === undefined) return null;
  const takesEmpty = parts.every((part) => part.length === 1 && part[0] === '');
  const start = parts.length === 1 || !isStar(parts[0]);
  const end = parts.length === 1 || !isStar(parts.at(-1));
  const inner = parts.slice(start ? 0 : 1, end ? parts.length : -1);
  return {
    pattern: anchored(inner.map(partPattern).join('.*'), { start, end }),
    hasDot: inner.length > 1 || inner.some((part) => part.length > 1),
    takesEmpty,
  };
}

/** Whether a part at an end of a glob is empty, so that the glob begins or ends with a star. */
function isStar(part: GlobPart | undefined): boolean {
  return part === undefined || (part.length === 1 && part[0] === '');
}

function partPattern(part: GlobPart): string {
  return part.map(literalPattern).join('.');
}
