import type { Access } from '../../../services/acl/access.js';
import {
  allocations,
  allocationStub,
  type Allocation,
  type AllocationStubFields,
} from '@tamis/scheduler-model/allocation.js';
import { omitEmpty } from '@tamis/scheduler-model/omit-empty.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { lookupRows, getRow } from 'tamis/table';
import { stopAllocation } from '@tamis/scheduler-state/state/stop-allocation.js';
import { ifVisible, type Visible, refuse } from '../../kernel/access.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { selectCreated } from '../../lists/creation-order.js';
import { listRoute } from '../../lists/list-route.js';
import { parseSwitch, type ReadQuery } from '../../kernel/query.js';
import { foundRow, readRoute } from '../../lists/read-route.js';
import { rowsAnywhere, rowsOfNamespace, type Right } from '../../kernel/rights.js';
import type { RouteFacts } from '../../kernel/route.js';
import { rowList } from '../../lists/row-list.js';
import { writeRoute } from '../../lists/write-route.js';
import type { NamespaceCapability } from '../../../services/acl/capability.js';
import { notFound } from '@tamis/scheduler-model/base/errors.js';

/** The routes of allocations. */
export const allocationRoutes: readonly ClusterRoute[] = [
  listRoute<Allocation>({
    path: '/v1/allocations',
    summary: 'List allocations',
    tag: 'allocations',
    right: rowsOfNamespace('read-job'),
    entry: 'AllocationListStub',
    tables: ['allocations'],
    resource: allocations,
    parameters: ['namespace', 'reverse', 'resources', 'task_states'],
    select: ({ tables }, query) => selectCreated(tables.allocations, query),
    stub: stubAllocations,
  }),
  readRoute<Visible>({
    path: '/v1/allocation/{alloc_id}',
    summary: 'Read an allocation',
    tag: 'allocations',
    // An allocation in a forbidden namespace is reported as missing.
    right: {
      name: 'namespace:read-job',
      grant: (access) => (row) => access.allowsNamespace('read-job', row.Namespace),
    },
    parameters: ['namespace'],
    response: { kind: 'json', schema: 'Allocation' },
    tables: ['allocations'],
    missing: 'alloc not found',
    find:
      (_query, id) =>
      ({ tables }, isVisible) =>
        foundRow(ifVisible(getRow(tables.allocations, id), isVisible), omitEmpty),
  }),
  writeRoute({
    path: '/v1/allocation/{alloc_id}/stop',
    summary: 'Stop an allocation, which another one may take the place of',
    tag: 'allocations',
    right: allocationRight('alloc-lifecycle'),
    parameters: ['no_shutdown_delay', 'reschedule'],
    failures: [404],
    response: { kind: 'json', schema: 'AllocationStopped' },
    parse: ({ id, parameters }) => ({
      id,
      wishes: {
        NoShutdownDelay: parseSwitch(parameters, 'no_shutdown_delay'),
        Reschedule: parseSwitch(parameters, 'reschedule'),
      },
    }),
    write: ({ id, wishes }, context) =>
      context.state.write((transaction) => stopAllocation(transaction, id, wishes)),
    project: ({ index, evalId }) => ({ index, body: { EvalID: evalId, Index: index } }),
  }),
];

/** @throws SchedulerError `bad-request` */
function stubFields({ parameters }: ReadQuery): AllocationStubFields {
  return {
    resources: parseSwitch(parameters, 'resources'),
    taskStates: parseSwitch(parameters, 'task_states', '', true),
  };
}

/** Returns a function that formats allocations for lists. @throws SchedulerError `bad-request` */
export function stubAllocations(query: ReadQuery): (allocation: Allocation) => object {
  const fields = stubFields(query);
  return (allocation) => allocationStub(allocation, fields);
}

/** Returns related allocations, oldest first. */
export function allocationsWhere(
  { tables }: Snapshot,
  field: 'NodeID' | 'EvalID' | 'DeploymentID',
  id: string,
): Iterable<Allocation> {
  return lookupRows(tables.allocations.indexes[field], id);
}

/** Creates the list of an object's allocations under the path of that object. */
export function allocationsOf(
  field: Parameters<typeof allocationsWhere>[1],
  facts: Pick<RouteFacts, 'path' | 'summary' | 'tag'>,
): ClusterRoute {
  return readRoute<Visible>({
    ...facts,
    right: rowsAnywhere('read-job'),
    parameters: ['namespace', 'resources', 'task_states'],
    response: { kind: 'list', schema: 'AllocationListStub', filtered: false },
    tables: ['allocations'],
    find(query, id) {
      const stub = stubAllocations(query);
      return (snapshot, isVisible) => ({
        rows: rowList(allocationsWhere(snapshot, field, id), isVisible, stub),
      });
    },
  });
}

/**
 * Returns the right to an allocation by any of several capabilities in its namespace. Without one, the allocation is reported as
 * missing.
 */
export function allocationRight(
  ...capabilities: readonly [NamespaceCapability, ...NamespaceCapability[]]
): Right<Access, { readonly id: string }, Allocation, HttpContext> {
  return {
    name: `namespace:${capabilities[0]}`,
    async grant(getAccess, { id }, { state }) {
      const access = await getAccess();
      const given = capabilities.flatMap((capability) => access.namespacesWith(capability) ?? []);
      if (given.length === 0) refuse();
      const row = getRow(state.snapshot().tables.allocations, id);
      const found = ifVisible(row, ({ Namespace }) => given.some((isGiven) => isGiven(Namespace)));
      if (found === null) throw notFound('alloc not found');
      return found;
    },
  };
}
