import type { ScanExplanation } from '@tamis/scheduler-model/wire/aggregate-bodies.js';
import { countText, durationText } from '../text/format.js';

export type { ScanExplanation };

/** Describes in a sentence how the rows were found. */
export function explained({ Index, Residual, RowsExamined, Duration }: ScanExplanation): string {
  const looked = `${countText(RowsExamined)} looked at in ${durationText(Duration)}`;
  if (Index === null) return `found by a search: ${looked}`;
  const by = `found by the index of ${Index.Field}`;
  return Residual === null ? by : `${by}, and ${looked} for the rest`;
}
