import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { PageProps } from '../app/page-declaration.js';
import { allocationsOfNode } from '../detail/allocation-columns.js';
import { clauseText } from '../detail/clause-text.js';
import { evaluationColumns, type EvaluationRow } from '../detail/evaluation-columns.js';
import { DetailPage } from '../detail/detail-page.js';
import { JobLink, rowLinkOrNull } from '../detail/links.js';
import { PlacementFailures } from '../detail/placement-failures.js';
import { newestAllocations, RelatedRows } from '../detail/related-rows.js';
import { Facts, Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { DataTable } from '../table/data-table.js';
import { Age } from '../text/age.js';
import { shortId } from '../text/format.js';

/** An evaluation as the agent returns it: empty fields are omitted. */
type EvaluationView = Pick<Evaluation, 'ID' | 'Namespace' | 'JobID' | 'Status'> &
  Partial<Evaluation> & { readonly RelatedEvals?: readonly EvaluationRow[] | null };

const right = 'read-job in its namespace';

/** Shows one run of the scheduler for a job: its placements, failures with reasons, predecessors and successors. */
export function EvaluationPage({ id }: PageProps) {
  const reading = useReading<EvaluationView>({
    path: `/v1/evaluation/${encodeURIComponent(id)}`,
    query: { related: 'true' },
    topics: [`Evaluation:${id}`],
  });
  return (
    <DetailPage
      title={`Evaluation ${shortId(id)}`}
      reading={reading}
      statuses={({ Status }) => [Status]}
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
          <RelatedRows
            title="What it placed"
            list="allocations"
            what="allocations of this evaluation"
            query={{
              ...newestAllocations,
              namespace: evaluation.Namespace,
              filter: clauseText(['EvalID'], evaluation.ID),
            }}
            topics={[`Allocation:${evaluation.JobID}`]}
            columns={allocationsOfNode}
            right={right}
          />
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
        'Triggered by': evaluation.TriggeredBy,
        Type: evaluation.Type,
        Priority: String(evaluation.Priority ?? 0),
        State: evaluation.StatusDescription,
        'Still queued': queued,
        Node: rowLinkOrNull('nodes', evaluation.NodeID),
        Deployment: rowLinkOrNull('deployments', evaluation.DeploymentID),
        'Waits until': evaluation.WaitUntil,
        Before: rowLinkOrNull('evaluations', evaluation.PreviousEval),
        Next: rowLinkOrNull('evaluations', evaluation.NextEval),
        'Waits for room': rowLinkOrNull('evaluations', evaluation.BlockedEval),
        Made: <Age nanoseconds={evaluation.CreateTime ?? 0} />,
        Changed: <Age nanoseconds={evaluation.ModifyTime ?? 0} />,
      }}
    />
  );
}
