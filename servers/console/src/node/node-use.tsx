import { claimOf } from '@tamis/scheduler-model/allocated-resources.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import { capacityOf, usageOf } from '@tamis/scheduler-model/node-capacity.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import { FailureNotice } from '../app/failure-notice.js';
import { clauseText } from '../detail/clause-text.js';
import { Meter } from '../detail/meter.js';
import { Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { countText, counted } from '../text/format.js';

/** An allocation with its resources, as the list shows it on request. */
type ClaimingRow = Pick<Allocation, 'AllocatedResources' | 'ClientStatus' | 'DesiredStatus'>;

/** Maximum allocations whose resources are summed. A node has a few hundred. */
const max = 1_000;

const finished = ['complete', 'failed', 'lost'].map((status) => `ClientStatus != "${status}"`).join(' and ');

/** Shows the allocated and available resources of a node. */
export function NodeUse({ node }: { readonly node: Node }) {
  const { value, failure, nextToken } = useReading<readonly ClaimingRow[]>({
    path: '/v1/allocations',
    query: {
      namespace: '*',
      filter: `${clauseText(['NodeID'], node.ID)} and ${finished}`,
      resources: 'true',
      task_states: 'false',
      per_page: String(max),
    },
    topics: [`Allocation:${node.ID}`],
    isList: true,
  });
  const capacity = capacityOf(node);
  const usage = usageOf((value ?? []).filter((row) => !isTerminal(row)).map(claimOf));
  return (
    <Section title="Capacity and use">
      {failure !== null && (
        <FailureNotice failure={failure} what="its allocations" right="read-job in their namespaces" />
      )}
      {value !== null && (
        <>
          <Dimension name="CPU" unit="MHz" used={usage.cpu} total={capacity.cpu} />
          <Dimension name="Memory" unit="MB" used={usage.memory} total={capacity.memory} />
          <Dimension name="Disk" unit="MB" used={usage.disk} total={capacity.disk} />
          <p class="quiet">
            Given to {counted(usage.allocations, 'allocation')} that you may see, of what is not kept for the
            machine itself.{nextToken !== null && ' There are more allocations than are added up here.'}
          </p>
        </>
      )}
    </Section>
  );
}

interface DimensionProps {
  readonly name: string;
  readonly unit: string;
  readonly used: number;
  readonly total: number;
}

function Dimension({ name, unit, used, total }: DimensionProps) {
  const share = total > 0 ? Math.round((used / total) * 100) : 0;
  return (
    <div class="dimension">
      <p>
        {name}: {countText(used)} of {countText(total)} {unit} ({share}%)
      </p>
      <Meter
        label={`${name} in use`}
        parts={[{ value: used, tone: share > 100 ? 'bad' : 'use' }]}
        total={total}
      />
    </div>
  );
}
