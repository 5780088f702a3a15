/** Height of a row, in pixels. The style sheet has the same number. */
export const rowHeight = 32;
/** Rows rendered above and below the visible ones, for scrolling. */
const ahead = 10;

/** A range of rows. */
export interface RowStretch {
  readonly from: number;
  readonly to: number;
}

/** Returns which of `total` rows to render for the visible part. */
export function stretchFor(scrollTop: number, height: number, total: number): RowStretch {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const seen = Math.ceil(height / rowHeight);
  const to = Math.min(total, first + seen + ahead);
  return { from: Math.max(0, Math.min(first - ahead, total - 1)), to: Math.max(0, to) };
}

/** Returns the nearest scroll position at which a row is visible below a header of one row. */
export function scrollFor(row: number, scrollTop: number, height: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + 2 * rowHeight;
  return bottom > scrollTop + height ? bottom - height : scrollTop;
}
