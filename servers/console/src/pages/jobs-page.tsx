import type { JobStub } from '@tamis/scheduler-model/job-stub.js';
import { jobAddress } from '../app/location.js';
import { ListPage } from '../lists/list-page.js';
import type { ListDeclaration } from '../lists/list-declaration.js';
import { ageColumn } from '../table/age-column.js';
import { fieldColumn } from '../table/field-column.js';
import { countText } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

const jobs: ListDeclaration<JobStub> = {
  resource: 'jobs',
  title: 'Jobs',
  path: '/v1/jobs',
  query: { namespace: '*' },
  sample: { meta: 'true' },
  objectOf: ({ ID, Namespace }) =>
    `/v1/job/${encodeURIComponent(ID)}?namespace=${encodeURIComponent(Namespace)}`,
  // The row of a job includes the states of its allocations.
  topics: ['Job', 'Allocation'],
  sort: '',
  facets: ['Status', 'Type', 'Namespace', 'Datacenters', 'NodePool'],
  keyOf: ({ Namespace, ID }) => `${Namespace}.${ID}`,
  versionOf: ({ ModifyIndex, JobSummary }) => `${ModifyIndex} ${JobSummary?.ModifyIndex ?? ''}`,
  right: 'list-jobs in a namespace',
  examples: ['Status == "running" and Priority >= 50', 'Type == "batch"', 'ID starts with "web"'],
  columns: [
    {
      title: 'Job',
      width: 'minmax(16ch, 3fr)',
      sort: 'Name',
      render: (job) => (
        <a href={jobAddress(job)}>
          <UntrustedText text={job.Name === '' ? job.ID : job.Name} />
        </a>
      ),
    },
    fieldColumn('Status', { width: 'minmax(10ch, 1fr)', isSorted: true, isStatus: true }),
    {
      ...fieldColumn<JobStub>('Type', { width: 'minmax(9ch, 2fr)', isSorted: true, from: 600 }),
      render: (job) => <UntrustedText text={kindOf(job)} />,
    },
    { ...fieldColumn<JobStub>('Priority', { width: '9ch', isSorted: true, from: 600 }), isNumeric: true },
    {
      title: 'Running',
      width: '10ch',
      isNumeric: true,
      render: ({ JobSummary }) => runningOf(JobSummary),
      from: 900,
    },
    fieldColumn('Namespace', { width: 'minmax(12ch, 1fr)', isSorted: true, from: 900 }),
    ageColumn('Submitted', 'SubmitTime', { sort: 'SubmitTime', from: 900 }),
  ],
};

/** Returns the type of a job, and whether it is periodic or parameterised. */
function kindOf({ Type, Periodic, ParameterizedJob }: JobStub): string {
  return `${Type}${Periodic ? ', periodic' : ''}${ParameterizedJob ? ', parameterised' : ''}`;
}

/** Returns how many allocations run, out of the desired number. */
function runningOf(summary: JobStub['JobSummary']): string {
  const groups = Object.values(summary?.Summary ?? {});
  const sum = (counts: readonly (number | bigint)[]): number =>
    counts.reduce<number>((total, count) => total + Number(count), 0);
  const running = sum(groups.map(({ Running }) => Running));
  const others = sum(groups.flatMap(({ Queued, Starting }) => [Queued, Starting]));
  return others === 0 ? countText(running) : `${countText(running)} of ${countText(running + others)}`;
}

/** Shows the list of jobs. */
export function JobsPage() {
  return <ListPage list={jobs} />;
}
