/** A change with its time in ms since 1970 and its status. */
export interface Change {
  readonly at: number;
  readonly status: string;
}

/** The changes in an interval, counted by kind of status. */
export interface Bin {
  /** Start in ms since 1970. */
  readonly from: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Number of bins and their length in ms, in total an hour. */
export const binCount = 12;
export const binLength = 5 * 60_000;

/** Returns the changes of the hour before `now`, oldest bin first. Other changes are omitted. */
export function binsOf(
  changes: readonly Change[],
  now: number,
  toneOf: (status: string) => string,
): readonly Bin[] {
  const begin = now - binCount * binLength;
  const bins = Array.from({ length: binCount }, (_, at) => ({
    from: begin + at * binLength,
    counts: new Map<string, number>(),
    total: 0,
  }));
  for (const { at, status } of changes) {
    // The last millisecond belongs to the last bin.
    const bin = bins[Math.min(Math.floor((at - begin) / binLength), at <= now ? binCount - 1 : binCount)];
    if (bin === undefined) continue;
    const tone = toneOf(status);
    bin.counts.set(tone, (bin.counts.get(tone) ?? 0) + 1);
    bin.total += 1;
  }
  return bins;
}
