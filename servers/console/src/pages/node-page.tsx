import type { Node } from '@tamis/scheduler-model/node.js';
import type { PageProps } from '../app/page-declaration.js';
import { allocationsOfNode } from '../detail/allocation-columns.js';
import { clauseText } from '../detail/clause-text.js';
import { DetailPage } from '../detail/detail-page.js';
import { newestAllocations, RelatedRows } from '../detail/related-rows.js';
import { Facts, Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { AttributeList } from '../node/attribute-list.js';
import { NodeActions } from '../node/node-actions.js';
import { NodeUse } from '../node/node-use.js';
import { Age } from '../text/age.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** Shows one node: its properties, its allocations, its usage, and drain actions. */
export function NodePage({ id }: PageProps) {
  const reading = useReading<Node>({ path: `/v1/node/${encodeURIComponent(id)}`, topics: [`Node:${id}`] });
  return (
    <DetailPage
      title={reading.value?.Name ?? id}
      reading={reading}
      statuses={({ Status, SchedulingEligibility }) => [Status, SchedulingEligibility]}
      what="the node"
      right="node read"
    >
      {(node, refresh) => (
        <>
          <NodeActions node={node} onWritten={refresh} />
          <NodeFacts node={node} />
          <NodeUse node={node} />
          <RelatedRows
            title="Allocations"
            list="allocations"
            query={{ ...newestAllocations, namespace: '*', filter: clauseText(['NodeID'], node.ID) }}
            topics={[`Allocation:${node.ID}`]}
            columns={allocationsOfNode}
            right="read-job in their namespaces"
          />
          <Section title="Drivers">
            <Drivers of={node.Drivers} />
          </Section>
          <Section title="Meta">
            <AttributeList field="Meta" label="meta" of={node.Meta} />
          </Section>
          <Section title="Attributes">
            <AttributeList field="Attributes" label="attributes" of={node.Attributes} />
          </Section>
          <Section title="Events">
            <NodeEvents events={node.Events ?? []} />
          </Section>
        </>
      )}
    </DetailPage>
  );
}

function NodeFacts({ node }: { readonly node: Node }) {
  const { DrainStrategy: drain, LastDrain } = node;
  return (
    <Facts
      of={{
        ID: <code>{node.ID}</code>,
        Address: node.HTTPAddr,
        Datacenter: node.Datacenter,
        Pool: node.NodePool,
        Class: node.NodeClass || '–',
        'Status since': <Age nanoseconds={Number(node.StatusUpdatedAt) * 1e9} />,
        State: node.StatusDescription,
        Drain: drain && drainText(drain),
        'Last drain': LastDrain && `${LastDrain.Status}, ${LastDrain.UpdatedAt ?? ''}`,
      }}
    />
  );
}

function drainText(drain: NonNullable<Node['DrainStrategy']>): string {
  const deadline = Number(drain.Deadline);
  if (deadline < 0) return 'under way, what runs is stopped at once';
  if (deadline === 0) return 'under way, without a deadline';
  return `under way, what has not moved is stopped at ${drain.ForceDeadline ?? ''}`;
}

/** Maximum drivers and maximum events rendered. Imported rows may have any number. */
const max = 100;

function Drivers({ of }: { readonly of: Node['Drivers'] }) {
  const found = Object.entries(of ?? {})
    .filter(([, driver]) => driver?.Detected === true)
    .slice(0, max);
  if (found.length === 0) return <p class="quiet">There are none.</p>;
  return (
    <ul class="plain">
      {found.map(([name, driver]) => (
        <li key={name}>
          <UntrustedText text={name} />{' '}
          <span class={`status-word ${driver?.Healthy === true ? 'good' : 'bad'}`}>
            {driver?.Healthy === true ? 'healthy' : 'not healthy'}
          </span>{' '}
          {driver?.Healthy !== true && <UntrustedText text={driver?.HealthDescription ?? ''} />}
        </li>
      ))}
    </ul>
  );
}

function NodeEvents({ events }: { readonly events: NonNullable<Node['Events']> }) {
  if (events.length === 0) return <p class="quiet">Nothing has happened.</p>;
  return (
    <ol class="timeline">
      {events
        .toReversed()
        .slice(0, max)
        .map(({ Timestamp, Subsystem, Message }, at) => (
          <li key={at}>
            <time>
              <UntrustedText text={Timestamp ?? ''} />
            </time>{' '}
            <strong>
              <UntrustedText text={Subsystem} />
            </strong>{' '}
            <UntrustedText text={Message} isExpandable />
          </li>
        ))}
    </ol>
  );
}
