import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { ListPage } from '../lists/list-page.js';
import type { ListDeclaration } from '../lists/list-declaration.js';
import { ageColumn } from '../table/age-column.js';
import { fieldColumn } from '../table/field-column.js';
import { idColumn } from '../table/id-column.js';
import { jobColumn } from '../table/job-column.js';
import { UntrustedText } from '../text/untrusted-text.js';

const evaluations: ListDeclaration<Evaluation> = {
  resource: 'evaluations',
  title: 'Evaluations',
  path: '/v1/evaluations',
  query: { namespace: '*' },
  sample: {},
  objectOf: ({ ID }) => `/v1/evaluation/${encodeURIComponent(ID)}`,
  topics: ['Evaluation'],
  sort: '-CreateIndex',
  facets: ['Status', 'TriggeredBy', 'Type', 'Namespace'],
  keyOf: ({ ID }) => ID,
  versionOf: ({ ModifyIndex }) => String(ModifyIndex),
  right: 'read-job in a namespace',
  examples: ['Status == "blocked"', 'TriggeredBy == "node-update" and Status != "complete"'],
  columns: [
    idColumn('Evaluation', 'evaluations'),
    jobColumn(),
    fieldColumn('Status', { width: 'minmax(11ch, 1fr)', isSorted: true, isStatus: true }),
    fieldColumn('TriggeredBy', {
      title: 'Triggered by',
      width: 'minmax(14ch, 1fr)',
      isSorted: true,
      from: 600,
    }),
    fieldColumn('Type', { width: 'minmax(9ch, 1fr)', isSorted: true, from: 900 }),
    { ...fieldColumn<Evaluation>('Priority', { width: '8ch', from: 900 }), isNumeric: true },
    {
      title: 'Description',
      width: 'minmax(18ch, 2fr)',
      // Empty parameters are not sent.
      render: ({ StatusDescription = '' }: Partial<Evaluation>) => <UntrustedText text={StatusDescription} />,
      from: 1200,
    },
    fieldColumn('Namespace', { width: 'minmax(11ch, 1fr)', isSorted: true, from: 1200 }),
    ageColumn('Changed', 'ModifyTime', { sort: 'ModifyIndex', from: 900 }),
  ],
};

/** Shows the list of evaluations, newest first. */
export function EvaluationsPage() {
  return <ListPage list={evaluations} />;
}
