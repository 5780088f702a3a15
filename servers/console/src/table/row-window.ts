/** Height of a row, in pixels. The style sheet has the same number. */
export const rowHeight = 32;
/** Rows rendered above and below the visible ones, for scrolling. */
const overscan = 10;

/** A range of rows. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Returns which of `total` rows to render for the visible part. */
export function visibleRange(scrollTop: number, height: number, total: number): RowRange {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const seen = Math.ceil(height / rowHeight);
  const to = Math.min(total, first + seen + overscan);
  return { from: Math.max(0, Math.min(first - overscan, total - 1)), to: Math.max(0, to) };
}

/** Returns the nearest scroll position at which a row is visible below a header of one row. */
export function scrollFor(row: number, scrollTop: number, height: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + 2 * rowHeight;
  return bottom > scrollTop + height ? bottom - height : scrollTop;
}
