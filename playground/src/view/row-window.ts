/** Height of a row of a list, in pixels. The style sheet has the same number. */
export const rowHeight = 26;
/** Rows above and below the visible ones that are rendered in advance for scrolling. */
const ahead = 12;
/** A range begins at a multiple of this, so that scrolling by a row fetches nothing. */
const grain = 8;

/** A stretch of a list. */
export interface RowStretch {
  readonly from: number;
  readonly count: number;
}

/** The rows to have for what is seen of a list of `total` rows. */
export function stretchFor(scrollTop: number, height: number, total: number): RowStretch {
  const first = Math.floor(scrollTop / rowHeight) - ahead;
  const from = Math.max(0, Math.min(Math.floor(first / grain) * grain, total - 1));
  const seen = Math.ceil(height / rowHeight);
  const end = Math.min(total, Math.ceil((Math.floor(scrollTop / rowHeight) + seen + ahead) / grain) * grain);
  return { from, count: Math.max(0, end - from) };
}

/** The scroll position at which a row is seen, as near to the one there is as may be. */
export function scrollFor(row: number, scrollTop: number, height: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
