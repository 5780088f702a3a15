import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { PageProps } from '../app/page-declaration.js';
import { allocationsOfJob } from '../detail/allocation-columns.js';
import { clauseText } from '../detail/clause-text.js';
import { DeploymentActions, DeploymentProgress, DeploymentTimes } from '../detail/deployment-progress.js';
import { DetailPage } from '../detail/detail-page.js';
import { JobLink } from '../detail/links.js';
import { newestAllocations, RelatedRows } from '../detail/related-rows.js';
import { Facts, Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { shortId } from '../text/format.js';

const right = 'read-job in its namespace';

/** Shows one deployment and its progress, with actions to promote, pause or fail it. */
export function DeploymentPage({ id }: PageProps) {
  const reading = useReading<Deployment>({
    path: `/v1/deployment/${encodeURIComponent(id)}`,
    topics: [`Deployment:${id}`],
  });
  const filter = clauseText(['DeploymentID'], id);
  return (
    <DetailPage
      title={`Deployment ${shortId(id)}`}
      reading={reading}
      statuses={({ Status }) => [Status]}
      what="the deployment"
      right={right}
    >
      {(deployment, refresh) => (
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
              State: deployment.StatusDescription,
              Times: <DeploymentTimes deployment={deployment} />,
            }}
          />
          <Section title="Progress">
            <DeploymentProgress deployment={deployment} />
          </Section>
          <RelatedRows
            title="Allocations"
            list="allocations"
            query={{ ...newestAllocations, namespace: deployment.Namespace, filter }}
            topics={[`Allocation:${id}`]}
            columns={allocationsOfJob}
            right={right}
          />
        </>
      )}
    </DetailPage>
  );
}
