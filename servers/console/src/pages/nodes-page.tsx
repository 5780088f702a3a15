import type { NodeStub } from '@tamis/scheduler-model/node.js';
import { addressOf } from '../app/location.js';
import { ListPage } from '../lists/list-page.js';
import type { ListDeclaration } from '../lists/list-declaration.js';
import { fieldColumn } from '../table/field-column.js';
import { UntrustedText } from '../text/untrusted-text.js';

const nodes: ListDeclaration<NodeStub> = {
  resource: 'nodes',
  title: 'Nodes',
  path: '/v1/nodes',
  query: {},
  sample: { os: 'true', resources: 'true' },
  objectOf: ({ ID }) => `/v1/node/${encodeURIComponent(ID)}`,
  topics: ['Node'],
  sort: '',
  facets: ['Status', 'SchedulingEligibility', 'Datacenter', 'NodeClass', 'NodePool'],
  keyOf: ({ ID }) => ID,
  versionOf: ({ ModifyIndex }) => String(ModifyIndex),
  right: 'node read',
  examples: [
    'Status == "ready" and Datacenter == "dc1"',
    'Attributes["cpu.arch"] == "arm64"',
    'DrainStrategy is not empty',
  ],
  columns: [
    {
      title: 'Node',
      width: 'minmax(14ch, 2fr)',
      sort: 'Name',
      render: ({ ID, Name }) => (
        <a href={addressOf(['nodes', ID])}>
          <UntrustedText text={Name === '' ? ID : Name} />
        </a>
      ),
    },
    fieldColumn('Status', { width: 'minmax(11ch, 1fr)', isSorted: true, isStatus: true }),
    fieldColumn('SchedulingEligibility', {
      title: 'Eligibility',
      width: 'minmax(11ch, 1fr)',
      isSorted: true,
      isStatus: true,
      from: 600,
    }),
    { title: 'Drain', width: '8ch', render: ({ Drain }) => (Drain ? 'draining' : ''), from: 900 },
    fieldColumn('Datacenter', { width: 'minmax(10ch, 1fr)', isSorted: true, from: 600 }),
    fieldColumn('NodeClass', { title: 'Class', width: 'minmax(10ch, 1fr)', isSorted: true, from: 900 }),
    fieldColumn('NodePool', { title: 'Pool', width: 'minmax(10ch, 1fr)', isSorted: true, from: 900 }),
    {
      title: 'Address',
      width: 'minmax(14ch, 1fr)',
      render: ({ Address }) => <UntrustedText text={Address} />,
      from: 1200,
    },
    {
      title: 'Version',
      width: '10ch',
      render: ({ Version }) => <UntrustedText text={Version} />,
      from: 1200,
    },
  ],
};

/** Shows the list of nodes. */
export function NodesPage() {
  return <ListPage list={nodes} />;
}
