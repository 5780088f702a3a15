import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { JobStub } from '@tamis/scheduler-model/job-stub.js';
import { FailureNotice } from '../app/failure-notice.js';
import { jobAddress } from '../app/location.js';
import { allocationsOfJob } from '../detail/allocation-columns.js';
import { clauseText } from '../detail/clause-text.js';
import { DeploymentActions, DeploymentProgress, DeploymentTimes } from '../detail/deployment-progress.js';
import { evaluationColumns, type EvaluationRow } from '../detail/evaluation-columns.js';
import { RowLink } from '../detail/links.js';
import { PlacementFailures } from '../detail/placement-failures.js';
import { RelatedRows } from '../detail/related-rows.js';
import { Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { ageColumn } from '../table/age-column.js';
import type { Column } from '../table/column.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { Status } from '../text/status.js';
import { readRight, type JobName } from './job-query.js';

/** Number of deployments shown on the page of a job. */
const visibleDeployments = 3;

/** A job, and the list filter for its objects. */
interface OfJobProps {
  readonly job: JobName;
}

const ofJob = ({ ID, Namespace }: JobName) => ({
  query: { namespace: Namespace, filter: clauseText(['JobID'], ID), reverse: 'true' },
  allFilter: `${clauseText(['JobID'], ID)} and ${clauseText(['Namespace'], Namespace)}`,
});

/** Shows the latest deployments of a job with their progress. */
export function JobDeployments({ job }: OfJobProps) {
  const { value, failure, refresh } = useReading<readonly Deployment[]>({
    path: '/v1/deployments',
    query: { ...ofJob(job).query, per_page: String(visibleDeployments) },
    topics: [`Deployment:${job.ID}`],
    isList: true,
  });
  if (value?.length === 0 && failure === null) return null;
  return (
    <Section title="Deployments">
      {failure !== null && <FailureNotice failure={failure} what="the deployments" right={readRight} />}
      {value?.map((deployment) => (
        <div class="card" key={deployment.ID}>
          <p>
            <RowLink to="deployments" id={deployment.ID} /> <Status status={deployment.Status} /> version{' '}
            {String(deployment.JobVersion)}, <DeploymentTimes deployment={deployment} />
          </p>
          {deployment.StatusDescription !== '' && (
            <p class="quiet">
              <UntrustedText text={deployment.StatusDescription} isExpandable />
            </p>
          )}
          <DeploymentProgress deployment={deployment} />
          <DeploymentActions deployment={deployment} onWritten={refresh} />
        </div>
      ))}
    </Section>
  );
}

/** Shows the allocations of a job, running ones first. */
export function JobAllocations({ job }: OfJobProps) {
  const { query, allFilter } = ofJob(job);
  return (
    <RelatedRows
      title="Allocations"
      list="allocations"
      // Running and pending are last in alphabetical order.
      query={{ ...query, reverse: '', sort: '-ClientStatus', task_states: 'false' }}
      topics={[`Allocation:${job.ID}`]}
      columns={allocationsOfJob}
      right={readRight}
      allFilter={allFilter}
    />
  );
}

/** Shows the newest evaluations of a job, and the placement failures of the last one. */
export function JobEvaluations({ job }: OfJobProps) {
  const { query, allFilter } = ofJob(job);
  const { value } = useReading<readonly EvaluationRow[]>({
    path: '/v1/evaluations',
    query: { ...query, per_page: '10' },
    topics: [`Evaluation:${job.ID}`],
    isList: true,
  });
  // A blocked evaluation has its own reasons; otherwise the last completed one counts.
  const blocked = value?.find(({ Status: status }) => status === 'blocked') ?? value?.[0];
  const failed = value?.find(({ FailedTGAllocs }) => FailedTGAllocs !== undefined);
  return (
    <RelatedRows
      title="Evaluations"
      list="evaluations"
      query={query}
      topics={[`Evaluation:${job.ID}`]}
      columns={evaluationColumns}
      right={readRight}
      allFilter={allFilter}
    >
      {blocked?.Status === 'blocked' && (
        <>
          <p>
            Not everything could be placed. <RowLink to="evaluations" id={blocked.ID} name="An evaluation" />{' '}
            waits for room:
          </p>
          <PlacementFailures of={blocked.FailedTGAllocs ?? failed?.FailedTGAllocs} />
        </>
      )}
    </RelatedRows>
  );
}

const childColumns: readonly Column<JobStub>[] = [
  {
    title: 'Job',
    width: 'minmax(20ch, 3fr)',
    render: (child) => (
      <a href={jobAddress(child)}>
        <UntrustedText text={child.ID} />
      </a>
    ),
  },
  { title: 'Status', width: '12ch', render: (child) => <Status status={child.Status} /> },
  ageColumn('Begun', 'SubmitTime'),
];

/** Shows the newest children of a periodic or parameterised job. */
export function JobChildren({ job }: OfJobProps) {
  const filter = clauseText(['ParentID'], job.ID);
  return (
    <RelatedRows
      title="Children"
      list="jobs"
      what="children"
      query={{ namespace: job.Namespace, filter, sort: '-SubmitTime' }}
      topics={[`Job:${job.ID}`]}
      columns={childColumns}
      right={readRight}
    />
  );
}
