import type { Evaluation } from '../../../scheduler/src/model/evaluation.js';
import { addressOf } from '../app/location.js';
import { ListPage } from '../lists/list-page.js';
import type { ListDeclaration } from '../lists/list-declaration.js';
import { fieldColumn } from '../table/field-column.js';
import { jobColumn } from '../table/job-column.js';
import { Age } from '../text/age.js';
import { OutsideText } from '../text/outside-text.js';
import { shortId } from '../text/format.js';

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
    {
      title: 'Evaluation',
      width: '12ch',
      sort: 'CreateIndex',
      show: ({ ID }) => (
        <a href={addressOf(['evaluations', ID])}>
          <code>
            <OutsideText text={shortId(ID)} />
          </code>
        </a>
      ),
    },
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
      // What is empty is not sent.
      show: ({ StatusDescription = '' }: Partial<Evaluation>) => <OutsideText text={StatusDescription} />,
      from: 1200,
    },
    fieldColumn('Namespace', { width: 'minmax(11ch, 1fr)', isSorted: true, from: 1200 }),
    {
      title: 'Changed',
      width: '12ch',
      sort: 'ModifyIndex',
      show: ({ ModifyTime = 0 }: Partial<Evaluation>) => <Age nanoseconds={ModifyTime} />,
      from: 900,
    },
  ],
};

/** The list of evaluations, the newest first. */
export function EvaluationsPage() {
  return <ListPage list={evaluations} />;
}
