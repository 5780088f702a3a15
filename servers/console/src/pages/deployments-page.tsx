import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { ListPage } from '../lists/list-page.js';
import type { ListDeclaration } from '../lists/list-declaration.js';
import { ageColumn } from '../table/age-column.js';
import { fieldColumn } from '../table/field-column.js';
import { idColumn } from '../table/id-column.js';
import { jobColumn } from '../table/job-column.js';
import { countText } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

const deployments: ListDeclaration<Deployment> = {
  resource: 'deployments',
  title: 'Deployments',
  path: '/v1/deployments',
  query: { namespace: '*' },
  sample: {},
  objectOf: ({ ID }) => `/v1/deployment/${encodeURIComponent(ID)}`,
  topics: ['Deployment'],
  sort: '-CreateIndex',
  facets: ['Status', 'Namespace'],
  keyOf: ({ ID }) => ID,
  versionOf: ({ ModifyIndex }) => String(ModifyIndex),
  right: 'read-job in a namespace',
  examples: ['Status == "running"', 'Status == "failed" and JobVersion > 0'],
  columns: [
    idColumn('Deployment', 'deployments'),
    jobColumn(),
    {
      ...fieldColumn<Deployment>('JobVersion', { title: 'Version', width: '8ch', from: 600 }),
      isNumeric: true,
    },
    fieldColumn('Status', { width: 'minmax(12ch, 1fr)', isSorted: true, isStatus: true }),
    {
      title: 'Healthy',
      width: '12ch',
      isNumeric: true,
      render: healthyOf,
      from: 600,
    },
    {
      title: 'Description',
      width: 'minmax(20ch, 3fr)',
      render: ({ StatusDescription }) => <UntrustedText text={StatusDescription} />,
      from: 1200,
    },
    fieldColumn('Namespace', { width: 'minmax(11ch, 1fr)', isSorted: true, from: 900 }),
    ageColumn('Changed', 'ModifyTime', { sort: 'ModifyIndex', from: 900 }),
  ],
};

/** Returns how many allocations of a deployment are healthy, out of the desired number. */
function healthyOf({ TaskGroups }: Deployment): string {
  const groups = Object.values(TaskGroups ?? {}).filter((group) => group !== null);
  const sum = (counts: readonly (number | bigint)[]): number =>
    counts.reduce<number>((total, count) => total + Number(count), 0);
  const healthy = sum(groups.map(({ HealthyAllocs }) => HealthyAllocs));
  const desired = sum(groups.map(({ DesiredTotal }) => DesiredTotal));
  return `${countText(healthy)} of ${countText(desired)}`;
}

/** Shows the list of deployments, newest first. */
export function DeploymentsPage() {
  return <ListPage list={deployments} />;
}
