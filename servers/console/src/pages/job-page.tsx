import type { Job } from '@tamis/scheduler-model/job.js';
import type { PageProps } from '../app/page-declaration.js';
import { jobOfAddress } from '../app/location.js';
import { DetailPage } from '../detail/detail-page.js';
import { JobLink } from '../detail/links.js';
import { Facts } from '../detail/section.js';
import { TextMap } from '../detail/text-map.js';
import { useView, Views } from '../detail/views.js';
import { JobActions } from '../job/job-actions.js';
import { jobQuery, readRight } from '../job/job-query.js';
import { JobAllocations, JobChildren, JobDeployments, JobEvaluations } from '../job/job-rows.js';
import { JobDefinition } from '../job/job-definition.js';
import { JobSummarySection } from '../job/job-summary.js';
import { JobVersions } from '../job/job-versions.js';
import { useReading } from '../live/use-reading.js';
import { Age } from '../text/age.js';

const views = { '': 'Overview', versions: 'Versions', definition: 'Definition' };

/** Shows one job with its related objects. */
export function JobPage({ id }: PageProps) {
  const name = jobOfAddress(id);
  const view = useView(views);
  const reading = useReading<Job>(jobQuery(name, '', [`Job:${name.ID}`]));
  return (
    <DetailPage
      title={reading.value?.Name || name.ID}
      reading={reading}
      statuses={({ Status }) => [Status]}
      what="the job"
      right={readRight}
    >
      {(job, refresh) => (
        <>
          <JobActions job={job} onWritten={refresh} />
          <Views parts={['jobs', id]} label="Parts of the job" titles={views} current={view} />
          {view === '' && <JobOverview job={job} />}
          {view === 'versions' && <JobVersions job={name} />}
          {view === 'definition' && <JobDefinition job={job} onWritten={refresh} />}
        </>
      )}
    </DetailPage>
  );
}

function JobOverview({ job }: { readonly job: Job }) {
  const name = { ID: job.ID, Namespace: job.Namespace };
  const hasChildren = job.Periodic !== null || (job.ParameterizedJob !== null && !job.Dispatched);
  return (
    <>
      <JobFacts job={job} />
      {hasChildren && <JobChildren job={name} />}
      <JobSummarySection job={name} />
      <JobDeployments job={name} />
      <JobAllocations job={name} />
      <JobEvaluations job={name} />
    </>
  );
}

function JobFacts({ job }: { readonly job: Job }) {
  const { Periodic, ParameterizedJob } = job;
  return (
    <Facts
      of={{
        ID: job.ID,
        Namespace: job.Namespace,
        Type: job.Type,
        'What it says of itself': job.UI?.Description,
        State: job.StatusDescription,
        Parent: job.ParentID === '' ? null : <JobLink id={job.ParentID} namespace={job.Namespace} />,
        Priority: String(job.Priority),
        Version: `${job.Version}${job.Stable ? ', stable' : ''}`,
        'Node pool': job.NodePool,
        Datacenters: (job.Datacenters ?? []).join(', '),
        Timetable:
          Periodic &&
          `${[Periodic.Spec, ...(Periodic.Specs ?? [])].filter((spec) => spec !== '').join(', ')} ${Periodic.TimeZone}`,
        'Required meta': ParameterizedJob && ((ParameterizedJob.MetaRequired ?? []).join(', ') || 'nothing'),
        Submitted: <Age nanoseconds={job.SubmitTime} />,
        Meta: <TextMap of={job.Meta} />,
      }}
    />
  );
}
