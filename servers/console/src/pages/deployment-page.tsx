import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { addressOf } from '../app/location.js';
import type { PageProps } from '../app/page-declaration.js';
import { allocationsOfJob } from '../detail/allocation-columns.js';
import { clauseText } from '../detail/clause-text.js';
import { DeploymentActions, DeploymentProgress, DeploymentTimes } from '../detail/deployment-progress.js';
import { DetailPage } from '../detail/detail-page.js';
import { JobLink } from '../detail/links.js';
import { RelatedRows } from '../detail/related-rows.js';
import { Facts, Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { shortId } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

const right = 'read-job in its namespace';

/** Shows one deployment and its progress, with actions to promote, pause or fail it. */
export function DeploymentPage({ id }: PageProps) {
  const {
    value: deployment,
    failure,
    refresh,
  } = useReading<Deployment>({
    path: `/v1/deployment/${encodeURIComponent(id)}`,
    topics: [`Deployment:${id}`],
  });
  const filter = clauseText(['DeploymentID'], id);
  return (
    <DetailPage
      title={
        <>
          Deployment <UntrustedText text={shortId(id)} />
        </>
      }
      value={deployment}
      statuses={({ Status }) => [Status]}
      failure={failure}
      what="the deployment"
      right={right}
    >
      {(deployment) => (
        <>
          <DeploymentActions deployment={deployment} onWritten={refresh} />
          <Facts
            of={{
              ID: <code>{deployment.ID}</code>,
              Job: (
                <>
                  <JobLink id={deployment.JobID} namespace={deployment.Namespace} />, version{' '}
                  {String(deployment.JobVersion)}
                </>
              ),
              State: <UntrustedText text={deployment.StatusDescription} isExpandable />,
              Times: <DeploymentTimes deployment={deployment} />,
            }}
          />
          <Section title="Progress">
            <DeploymentProgress deployment={deployment} />
          </Section>
          <Section title="Allocations">
            <RelatedRows
              what="allocations"
              path="/v1/allocations"
              query={{ namespace: deployment.Namespace, filter, reverse: 'true', task_states: 'false' }}
              topics={[`Allocation:${id}`]}
              columns={allocationsOfJob}
              right={right}
              all={addressOf(['allocations'], { filter })}
            />
          </Section>
        </>
      )}
    </DetailPage>
  );
}
