/**
 * A range of the source in UTF-16 offsets: `start` is inclusive, `end` exclusive. Line and column are computed only for printing.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}
