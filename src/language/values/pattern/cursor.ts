import { PatternError } from './pattern-error.js';

/** A position in a pattern. Reading advances `at`, in UTF-16 units. */
export interface Cursor {
  readonly source: string;
  at: number;
}

/** The UTF-16 unit at the cursor, or the empty string at the end. */
export function peek(cursor: Cursor, ahead = 0): string {
  return cursor.source.charAt(cursor.at + ahead);
}

export function isAtEnd(cursor: Cursor): boolean {
  return cursor.at >= cursor.source.length;
}

/** Reads one code point; null at the end. */
export function takeCode(cursor: Cursor): number | null {
  const code = cursor.source.codePointAt(cursor.at);
  if (code === undefined) return null;
  cursor.at += code > 0xffff ? 2 : 1;
  return code;
}

/** Creates the error whose quoted fragment runs from `start` to the cursor. */
export function errorFrom(cursor: Cursor, start: number, reason: string): PatternError {
  return new PatternError(reason, cursor.source.slice(start, cursor.at), start);
}
