import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { addressOf } from '../app/location.js';
import type { PageProps } from '../app/page-declaration.js';
import { allocationsOfNode } from '../detail/allocation-columns.js';
import { clauseText } from '../detail/clause-text.js';
import { evaluationColumns, type EvaluationRow } from '../detail/evaluation-columns.js';
import { DetailPage } from '../detail/detail-page.js';
import { JobLink, RowLink } from '../detail/links.js';
import { PlacementFailures } from '../detail/placement-failures.js';
import { RelatedRows } from '../detail/related-rows.js';
import { Facts, Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { DataTable } from '../table/data-table.js';
import { Age } from '../text/age.js';
import { shortId } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** An evaluation as the agent returns it: empty fields are omitted. */
type EvaluationView = Pick<Evaluation, 'ID' | 'Namespace' | 'JobID' | 'Status'> &
  Partial<Evaluation> & { readonly RelatedEvals?: readonly EvaluationRow[] | null };

const right = 'read-job in its namespace';

/** Shows one run of the scheduler for a job: its placements, failures with reasons, predecessors and successors. */
export function EvaluationPage({ id }: PageProps) {
  const { value: evaluation, failure } = useReading<EvaluationView>({
    path: `/v1/evaluation/${encodeURIComponent(id)}`,
    query: { related: 'true' },
    topics: [`Evaluation:${id}`],
  });
  return (
    <DetailPage
      title={
        <>
          Evaluation <UntrustedText text={shortId(id)} />
        </>
      }
      value={evaluation}
      statuses={({ Status }) => [Status]}
      failure={failure}
      what="the evaluation"
      right={right}
    >
      {(evaluation) => (
        <>
          <EvaluationFacts evaluation={evaluation} />
          {evaluation.FailedTGAllocs !== undefined && (
            <Section title="Not placed">
              <PlacementFailures of={evaluation.FailedTGAllocs} />
            </Section>
          )}
          <Placed evaluation={evaluation} />
          <Section title="Related evaluations">
            {(evaluation.RelatedEvals ?? []).length === 0 ? (
              <p class="quiet">There are none.</p>
            ) : (
              <DataTable
                label="related evaluations"
                columns={evaluationColumns}
                rows={evaluation.RelatedEvals ?? []}
                keyOf={({ ID }) => ID}
              />
            )}
          </Section>
        </>
      )}
    </DetailPage>
  );
}

function EvaluationFacts({ evaluation }: { readonly evaluation: EvaluationView }) {
  const queued = Object.entries(evaluation.QueuedAllocations ?? {})
    .map(([group, count]) => `${group}: ${String(count)}`)
    .join(', ');
  return (
    <Facts
      of={{
        ID: <code>{evaluation.ID}</code>,
        Job: <JobLink id={evaluation.JobID} namespace={evaluation.Namespace} />,
        'Triggered by': <UntrustedText text={evaluation.TriggeredBy ?? ''} />,
        Type: <UntrustedText text={evaluation.Type ?? ''} />,
        Priority: String(evaluation.Priority ?? 0),
        State:
          evaluation.StatusDescription === undefined ? null : (
            <UntrustedText text={evaluation.StatusDescription} isExpandable />
          ),
        'Still queued': queued === '' ? null : <UntrustedText text={queued} isExpandable />,
        Node: linkOrNull('nodes', evaluation.NodeID),
        Deployment: linkOrNull('deployments', evaluation.DeploymentID),
        'Waits until':
          evaluation.WaitUntil === undefined || evaluation.WaitUntil === null ? null : (
            <UntrustedText text={evaluation.WaitUntil} />
          ),
        Before: linkOrNull('evaluations', evaluation.PreviousEval),
        Next: linkOrNull('evaluations', evaluation.NextEval),
        'Waits for room': linkOrNull('evaluations', evaluation.BlockedEval),
        Made: <Age nanoseconds={evaluation.CreateTime ?? 0} />,
        Changed: <Age nanoseconds={evaluation.ModifyTime ?? 0} />,
      }}
    />
  );
}

function linkOrNull(to: 'nodes' | 'deployments' | 'evaluations', id: string | undefined) {
  return id === undefined || id === '' ? null : <RowLink to={to} id={id} />;
}

function Placed({ evaluation: { ID, Namespace, JobID } }: { readonly evaluation: EvaluationView }) {
  const filter = clauseText(['EvalID'], ID);
  return (
    <Section title="What it placed">
      <RelatedRows
        what="allocations of this evaluation"
        path="/v1/allocations"
        query={{ namespace: Namespace, filter, reverse: 'true', task_states: 'false' }}
        topics={[`Allocation:${JobID}`]}
        columns={allocationsOfNode}
        right={right}
        all={addressOf(['allocations'], { filter })}
      />
    </Section>
  );
}
