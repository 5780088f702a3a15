/**
 * A stretch of source text, as UTF-16 offsets: `start` is inclusive, `end` exclusive. Lines and columns are
 * derived from it only when something is printed.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}
