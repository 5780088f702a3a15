import type { Reading } from '../live/reading.js';
import { counted, countText } from '../text/format.js';
import type { Facets } from './facets.js';
import { explained, type ScanExplanation } from './scan-explanation.js';

interface ResultLineProps {
  readonly found: Reading<readonly unknown[]>;
  readonly facets: Facets | null;
  readonly explanation: ScanExplanation | null;
  readonly isFiltered: boolean;
  /** Whether the page contains the whole list. */
  readonly isWhole: boolean;
  /** Whether it belongs to the current query, not to the previous one. */
  readonly isCurrent: boolean;
}

/** Shows how many rows match, and how they were found. */
export function ResultLine({ found, facets, explanation, isFiltered, isWhole, isCurrent }: ResultLineProps) {
  const { value, failure } = found;
  return (
    <p class={isCurrent ? 'result' : 'result old'} role="status" aria-busy={!isCurrent}>
      {value === null && failure === null && 'Reading …'}
      {value !== null && (
        <>
          <strong>{countOf(value.length, facets, isWhole)}</strong>
          {isFiltered && (facets?.matched === 1 ? ' matches' : ' match')}
          {explanation !== null && <span class="quiet">, {explained(explanation)}</span>}
        </>
      )}
    </p>
  );
}

function countOf(visible: number, facets: Facets | null, isWhole: boolean): string {
  if (facets !== null) return counted(facets.matched, 'row');
  return isWhole ? counted(visible, 'row') : `${countText(visible)} rows of more`;
}
