import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { RowLink } from '../detail/links.js';
import { ListPage } from '../lists/list-page.js';
import type { ListDeclaration } from '../lists/list-declaration.js';
import { ageColumn } from '../table/age-column.js';
import { fieldColumn } from '../table/field-column.js';
import { idColumn } from '../table/id-column.js';
import { jobColumn } from '../table/job-column.js';

/** The fields of an allocation in the list. */
type AllocationStub = Pick<
  Allocation,
  | 'ID'
  | 'Namespace'
  | 'JobID'
  | 'TaskGroup'
  | 'NodeID'
  | 'NodeName'
  | 'ClientStatus'
  | 'DesiredStatus'
  | 'CreateTime'
  | 'ModifyTime'
  | 'ModifyIndex'
>;

const allocations: ListDeclaration<AllocationStub> = {
  resource: 'allocations',
  title: 'Allocations',
  path: '/v1/allocations',
  query: { namespace: '*', task_states: 'false' },
  sample: { task_states: 'true' },
  objectOf: ({ ID }) => `/v1/allocation/${encodeURIComponent(ID)}`,
  topics: ['Allocation'],
  sort: '-CreateIndex',
  facets: ['ClientStatus', 'DesiredStatus', 'Namespace'],
  keyOf: ({ ID }) => ID,
  versionOf: ({ ModifyIndex }) => String(ModifyIndex),
  right: 'read-job in a namespace',
  examples: ['ClientStatus == "failed"', 'DesiredStatus == "run" and ClientStatus != "running"'],
  columns: [
    idColumn('Allocation', 'allocations'),
    jobColumn(),
    fieldColumn('TaskGroup', { title: 'Group', width: 'minmax(9ch, 1fr)', isSorted: true, from: 900 }),
    fieldColumn('ClientStatus', {
      title: 'Status',
      width: 'minmax(11ch, 1fr)',
      isSorted: true,
      isStatus: true,
    }),
    fieldColumn('DesiredStatus', {
      title: 'Desired',
      width: 'minmax(9ch, 1fr)',
      isSorted: true,
      from: 900,
    }),
    {
      title: 'Node',
      width: 'minmax(12ch, 1fr)',
      render: ({ NodeID, NodeName }) => <RowLink to="nodes" id={NodeID} name={NodeName} />,
      from: 600,
    },
    fieldColumn('Namespace', { width: 'minmax(11ch, 1fr)', isSorted: true, from: 1200 }),
    ageColumn('Created', 'CreateTime', { from: 900 }),
    ageColumn('Changed', 'ModifyTime', { sort: 'ModifyIndex', from: 600 }),
  ],
};

/** Shows the list of allocations, newest first. */
export function AllocationsPage() {
  return <ListPage list={allocations} />;
}
