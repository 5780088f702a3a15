import type { FastifyInstance } from 'fastify';
import {
  allocations,
  allocationStub,
  type Allocation,
  type AllocationStubFields,
} from '../model/allocation.js';
import { omitEmpty } from '../model/omit-empty.js';
import type { Snapshot } from '../state/snapshot.js';
import { rowsWith } from '../state/secondary-index.js';
import { getRow } from '../state/table.js';
import { ifVisible, visibleRows } from './access.js';
import type { HttpContext } from './context.js';
import { selectCreated } from './created-rows.js';
import { addListRoute, type ListResource } from './list-route.js';
import { parseSwitch, type ReadQuery } from '../requests/query.js';
import { addReadRoute, rowPart, type ReadResource } from './read-route.js';

const allocationList: ListResource<Allocation> = {
  path: '/v1/allocations',
  tables: ['allocations'],
  schema: allocations.schema,
  indexes: allocations.filterIndexes,
  filteringParameters: ['prefix'],
  canReverse: true,
  authorise: (access, query) => visibleRows(access, 'read-job', query),
  select: ({ tables }, query) => selectCreated(tables.allocations, query),
  stub(query) {
    const fields = stubFields(query);
    return (allocation) => allocationStub(allocation, fields);
  },
};

const allocationRead: ReadResource = {
  prefix: '/v1/allocation/',
  // One in a foreign namespace looks like none.
  authorise: (access) => (row) => access.allowsNamespace('read-job', row.Namespace),
  parts: [
    rowPart(
      'allocations',
      ({ tables }, id, _query, isVisible) => ifVisible(getRow(tables.allocations, id), isVisible),
      (allocation: Allocation) => omitEmpty(allocation),
      'alloc not found',
    ),
  ],
};

/** Adds the routes of allocations. */
export function addAllocationRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, allocationList);
  addReadRoute(app, context, allocationRead);
}

/** @throws SchedulerError `bad-switch` */
function stubFields({ parameters }: ReadQuery): AllocationStubFields {
  return {
    resources: parseSwitch(parameters, 'resources'),
    taskStates: parseSwitch(parameters, 'task_states', '', true),
  };
}

/** Shows the allocations that belong to something else as lists show them. @throws SchedulerError `bad-switch` */
export function stubAllocations(query: ReadQuery): (allocation: Allocation) => object {
  const fields = stubFields(query);
  return (allocation) => allocationStub(allocation, fields);
}

/** Oldest first. */
export function allocationsWhere(
  { tables }: Snapshot,
  field: 'NodeID' | 'EvalID' | 'DeploymentID',
  id: string,
): Iterable<Allocation> {
  return rowsWith(tables.allocations.indexes[field], id);
}
