import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { formatAge, millisecondsOf } from '../terminal/ages.js';
import type { Column } from '../terminal/table.js';
import { shortId, type Session } from '../session.js';

/** An allocation as lists show it. */
export interface AllocationRow extends Pick<
  Allocation,
  | 'ID'
  | 'Namespace'
  | 'Name'
  | 'NodeID'
  | 'NodeName'
  | 'JobID'
  | 'TaskGroup'
  | 'DesiredStatus'
  | 'ClientStatus'
  | 'DeploymentStatus'
  | 'CreateTime'
  | 'TaskStates'
> {
  readonly JobVersion: number | bigint;
}

/** Returns the columns of a table of allocations. */
export function allocationColumns(session: Session): readonly Column<AllocationRow>[] {
  return [
    { title: 'ID', cell: ({ ID }) => shortId(ID, session) },
    { title: 'NAME', cell: ({ Name }) => Name, cut: 'middle' },
    { title: 'NODE', cell: ({ NodeName, NodeID }) => NodeName || shortId(NodeID, session), cut: 'middle' },
    { title: 'VERSION', cell: ({ JobVersion }) => String(JobVersion), isOptional: true },
    { title: 'DESIRED', cell: ({ DesiredStatus }) => DesiredStatus, isOptional: true },
    { title: 'STATUS', cell: ({ ClientStatus }) => ClientStatus, isStatus: true },
    { title: 'HEALTH', cell: healthOf, isStatus: true, isOptional: true },
    {
      title: 'CREATED',
      cell: ({ CreateTime }) => formatAge(millisecondsOf(CreateTime), session.now()),
      isOptional: true,
    },
  ];
}

function healthOf({ DeploymentStatus }: AllocationRow): string {
  if (DeploymentStatus === null || DeploymentStatus === undefined) return '';
  const { Healthy, Canary } = DeploymentStatus;
  const word = Healthy === null || Healthy === undefined ? '' : Healthy ? 'healthy' : 'unhealthy';
  return Canary ? `${word}${word === '' ? '' : ', '}canary` : word;
}
