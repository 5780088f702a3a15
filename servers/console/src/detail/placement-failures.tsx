import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';
import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { placementReasons, unplacedGroups } from './placement-reasons.js';

/** Maximum number of groups shown; then the maximum number of reasons per group. A job may have thousands. */
const maxGroups = 50;
const maxReasons = 20;

/** Shows why groups of a job were not placed, by group. Renders nothing if all were placed. */
export function PlacementFailures({ of }: { readonly of: unknown }) {
  const groups = unplacedGroups(of);
  if (groups.length === 0) return null;
  return (
    <ul class="failures">
      {groups.slice(0, maxGroups).map(([group, metrics]) => (
        <li key={group}>
          <strong>
            <UntrustedText text={group} />
          </strong>
          <GroupFailure metrics={metrics} />
        </li>
      ))}
      {groups.length > maxGroups && <li>{counted(groups.length - maxGroups, 'more group')}</li>}
    </ul>
  );
}

function GroupFailure({ metrics }: { readonly metrics: Partial<PlacementMetrics> }) {
  const { NodesEvaluated = 0, CoalescedFailures = 0 } = metrics;
  const missing = Number(CoalescedFailures) + 1;
  const reasons = placementReasons(metrics);
  return (
    <>
      {': '}
      {counted(missing, 'allocation')} without a place. {counted(Number(NodesEvaluated), 'node')} looked at
      {Number(metrics.NodesFiltered ?? 0) > 0 && `, ${metrics.NodesFiltered} not fit`}
      {Number(metrics.NodesExhausted ?? 0) > 0 && `, ${metrics.NodesExhausted} full`}.
      {reasons.length > 0 && (
        <ul class="plain">
          {reasons.slice(0, maxReasons).map((reason) => (
            <li key={reason}>
              <UntrustedText text={reason} maxLength={500} isExpandable />
            </li>
          ))}
          {reasons.length > maxReasons && <li>{counted(reasons.length - maxReasons, 'more reason')}</li>}
        </ul>
      )}
    </>
  );
}
