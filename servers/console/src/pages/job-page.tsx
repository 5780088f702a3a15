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
import { UntrustedText } from '../text/untrusted-text.js';

const views = { '': 'Overview', versions: 'Versions', definition: 'Definition' };

/** Shows one job with its related objects. */
export function JobPage({ id }: PageProps) {
  const name = jobOfAddress(id);
  const view = useView(views);
  const { value: job, failure, refresh } = useReading<Job>(jobQuery(name, '', [`Job:${name.ID}`]));
  return (
    <DetailPage
      title={<UntrustedText text={job === null || job.Name === '' ? name.ID : job.Name} />}
      value={job}
      statuses={({ Status }) => [Status]}
      failure={failure}
      what="the job"
      right={readRight}
    >
      {(job) => (
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
        ID: <UntrustedText text={job.ID} isExpandable />,
        Namespace: <UntrustedText text={job.Namespace} />,
        Type: <UntrustedText text={job.Type} />,
        'What it says of itself':
          job.UI === null ? null : <UntrustedText text={job.UI.Description} isExpandable />,
        State:
          job.StatusDescription === '' ? null : <UntrustedText text={job.StatusDescription} isExpandable />,
        Parent: job.ParentID === '' ? null : <JobLink id={job.ParentID} namespace={job.Namespace} />,
        Priority: String(job.Priority),
        Version: `${job.Version}${job.Stable ? ', stable' : ''}`,
        'Node pool': <UntrustedText text={job.NodePool} />,
        Datacenters: <UntrustedText text={(job.Datacenters ?? []).join(', ')} isExpandable />,
        Timetable:
          Periodic === null ? null : (
            <UntrustedText
              text={`${[Periodic.Spec, ...(Periodic.Specs ?? [])].filter((spec) => spec !== '').join(', ')} ${Periodic.TimeZone}`}
            />
          ),
        'Required meta':
          ParameterizedJob === null ? null : (
            <UntrustedText
              text={(ParameterizedJob.MetaRequired ?? []).join(', ') || 'nothing'}
              isExpandable
            />
          ),
        Submitted: <Age nanoseconds={job.SubmitTime} />,
        Meta: <TextMap of={job.Meta} />,
      }}
    />
  );
}
