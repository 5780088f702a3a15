import { countText, durationText } from '../text/format.js';

/** How the agent found the rows of a page. Durations are nanoseconds. */
export interface ScanExplanation {
  readonly Index: {
    readonly Field: string;
    readonly Keys: readonly string[];
    readonly Range: string | null;
  } | null;
  readonly Residual: string | null;
  readonly RowsExamined: number;
  readonly RowsMatched: number;
  readonly Duration: number;
}

/** How the rows were found, in a sentence. */
export function explained({ Index, Residual, RowsExamined, Duration }: ScanExplanation): string {
  const looked = `${countText(RowsExamined)} looked at in ${durationText(Duration)}`;
  if (Index === null) return `found by a search: ${looked}`;
  const by = `found by the index of ${Index.Field}`;
  return Residual === null ? by : `${by}, and ${looked} for the rest`;
}
