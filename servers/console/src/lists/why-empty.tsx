import { countText, counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import type { EmptyExplanation } from '@tamis/scheduler-model/wire/aggregate-bodies.js';

interface WhyEmptyProps {
  readonly empty: EmptyExplanation;
  /** Replaces a clause by another one; null removes it. */
  readonly onReplace: (clause: string, instead: string | null) => void;
}

/** Shows the clauses that match nothing, the existing values, and the nearest value as a button. */
export function WhyEmpty({ empty, onReplace }: WhyEmptyProps) {
  const { Clauses, RowsWithout, RowsSampled, IsPartial, RowsExamined } = empty;
  const sample = RowsSampled < RowsWithout ? ` in ${counted(RowsSampled, 'row')} of these` : '';
  if (Clauses.length === 0) return <p>No row matches: there are no rows.</p>;
  return (
    <>
      <p>
        No row matches. Without {Clauses.length === 1 ? 'this clause' : 'these clauses'}{' '}
        {RowsWithout === 1 ? '1 row does' : `${countText(RowsWithout)} rows do`}
        {IsPartial && `, of the ${counted(RowsExamined, 'row')} that were looked at`}:
      </p>
      <ul class="plain">
        {Clauses.map(({ Filter, Instead, Values, Range, HasMoreValues }) => (
          <li key={Filter}>
            <code>
              <UntrustedText text={Filter} isExpandable />
            </code>{' '}
            <span class="fixes">
              {Instead !== null && (
                <button
                  type="button"
                  class="fix"
                  onClick={() => {
                    onReplace(Filter, Instead);
                  }}
                >
                  Write <UntrustedText text={Instead} maxLength={80} />
                </button>
              )}
              <button
                type="button"
                onClick={() => {
                  onReplace(Filter, null);
                }}
              >
                Leave it out
              </button>
            </span>
            {Range !== null && (
              <p class="quiet">
                What there is{sample} lies between <UntrustedText text={Range.Least} maxLength={60} /> and{' '}
                <UntrustedText text={Range.Greatest} maxLength={60} />.
              </p>
            )}
            {Values.length > 0 && (
              <p class="quiet">
                There is{sample}{' '}
                {Values.slice(0, 8).map(({ Text, Count }, index) => (
                  <span key={Text}>
                    {index > 0 && ', '}
                    <UntrustedText text={Text} maxLength={60} />
                    {` (${countText(Count)})`}
                  </span>
                ))}
                {(HasMoreValues || Values.length > 8) && ' and more'}.
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
