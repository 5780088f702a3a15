import { UntrustedText } from '../text/untrusted-text.js';
import { Status } from '../text/status.js';
import { ageColumn } from '../table/age-column.js';
import type { Column } from '../table/column.js';
import { RowLink } from './links.js';

/** The fields of an evaluation that tables show. Lists omit empty fields. */
export interface EvaluationRow {
  readonly ID: string;
  readonly Status: string;
  readonly StatusDescription?: string;
  readonly TriggeredBy?: string;
  readonly FailedTGAllocs?: object;
  readonly ModifyIndex: number;
  readonly CreateTime?: number;
}

export const evaluationColumns: readonly Column<EvaluationRow>[] = [
  { title: 'Evaluation', width: '12ch', render: ({ ID }) => <RowLink to="evaluations" id={ID} /> },
  {
    title: 'Status',
    width: 'minmax(12ch, 1fr)',
    render: (evaluation) => <Status status={evaluation.Status} />,
  },
  {
    title: 'Triggered by',
    width: 'minmax(18ch, 2fr)',
    render: ({ TriggeredBy = '' }) => TriggeredBy,
    from: 600,
  },
  {
    title: 'Not placed',
    width: 'minmax(12ch, 1fr)',
    render: ({ FailedTGAllocs }) => (
      <UntrustedText text={Object.keys(FailedTGAllocs ?? {}).join(', ') || '–'} maxLength={100} />
    ),
    from: 600,
  },
  ageColumn('Made', 'CreateTime'),
];
