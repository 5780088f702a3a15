import type { Clause } from '../language/protocol.js';
import { countText } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { toneOf } from '../text/status.js';
import type { Facet } from './facets.js';

/** Maximum values of a field that are shown: a field with more is not suitable for selection. */
const maxValues = 8;

interface FacetBarProps {
  readonly facets: readonly Facet[];
  readonly onAddClause: (clause: Clause) => void;
}

/** Shows values of fields with few values and their counts; each is a button that filters by it. */
export function FacetBar({ facets, onAddClause }: FacetBarProps) {
  const visible = facets.filter(({ values }) => values.length > 0 && values.length <= 4 * maxValues);
  if (visible.length === 0) return null;
  return (
    <dl class="facets">
      {visible.map(({ field, values, others }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {values.slice(0, maxValues).map(({ value, count }) => (
              <button
                key={String(value)}
                type="button"
                class={`facet ${toneOf(String(value))}`}
                title="Show only these; with Alt, all but these"
                onClick={({ altKey }) => {
                  onAddClause({ path: [field], value, isNegated: altKey });
                }}
              >
                {value === '' ? <i>none</i> : <UntrustedText text={String(value)} maxLength={40} />}{' '}
                <span class="facet-count">{countText(count)}</span>
              </button>
            ))}
            {restOf(values.slice(maxValues), others) > 0 && (
              <span class="quiet">and others: {countText(restOf(values.slice(maxValues), others))}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function restOf(values: Facet['values'], others: number): number {
  return values.reduce((sum, { count }) => sum + count, others);
}
