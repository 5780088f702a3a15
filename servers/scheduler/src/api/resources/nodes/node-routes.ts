import { nodes, nodeStub, publicNode, type Node } from '@tamis/scheduler-model/node.js';
import { omitEmpty } from '@tamis/scheduler-model/omit-empty.js';
import { usesOfPools } from '@tamis/scheduler-state/state/pool-use.js';
import type { PoolUse } from '@tamis/scheduler-model/wire/pool-use.js';
import { getRow } from 'tamis/table';
import { refuse, type Visible } from '../../kernel/access.js';
import { allocationsWhere } from '../allocations/allocation-routes.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { listRoute } from '../../lists/list-route.js';
import { nodeWrites } from './node-writes.js';
import { parseSwitch } from '../../kernel/query.js';
import { foundRow, readRoute } from '../../lists/read-route.js';
import type { RowsRight } from '../../kernel/rights.js';
import { rowList } from '../../lists/row-list.js';

const allNodes: RowsRight<null> = {
  name: 'node:read',
  grant: (access) => (access.node('read') ? null : refuse()),
};

/** The routes of nodes. */
export const nodeRoutes: readonly ClusterRoute[] = [
  listRoute<Node>({
    path: '/v1/nodes',
    summary: 'List nodes',
    tag: 'nodes',
    right: allNodes,
    entry: 'NodeListStub',
    tables: ['nodes'],
    resource: nodes,
    parameters: ['resources', 'os'],
    select({ tables }, { prefix }) {
      const { primary, indexes } = tables.nodes;
      const keyField = prefix === '' ? { keyField: nodes.idField } : {};
      return { rows: primary, keyPrefix: prefix, where: null, indexes, ...keyField };
    },
    stub({ parameters }) {
      const refusal = 'Failed to parse node list fields: ';
      const fields = {
        resources: parseSwitch(parameters, 'resources', refusal),
        os: parseSwitch(parameters, 'os', refusal),
      };
      return (node) => nodeStub(node, fields);
    },
  }),
  readRoute({
    path: '/v1/nodes/use',
    summary: 'Read how full the node pools are',
    tag: 'nodes',
    right: allNodes,
    response: { kind: 'list', schema: 'NodePoolUse', filtered: false },
    tables: ['nodes', 'allocations'],
    find:
      () =>
      ({ tables }) => ({
        rows: rowList<PoolUse | null>(
          usesOfPools(tables),
          (use) => use !== null,
          (use) => use ?? {},
        ),
      }),
  }),
  readRoute({
    path: '/v1/node/{node_id}',
    summary: 'Read a node',
    tag: 'nodes',
    right: allNodes,
    response: { kind: 'json', schema: 'Node' },
    tables: ['nodes'],
    missing: 'node not found',
    find:
      (_query, id) =>
      ({ tables }) =>
        foundRow(getRow(tables.nodes, id), publicNode),
  }),
  readRoute<Visible>({
    path: '/v1/node/{node_id}/allocations',
    summary: 'List the allocations on a node',
    tag: 'nodes',
    right: {
      name: 'node:read',
      grant(access) {
        if (!access.node('read')) refuse();
        return (row) => access.allowsNamespace('read-job', row.Namespace);
      },
    },
    response: { kind: 'list', schema: 'Allocation', filtered: false },
    tables: ['allocations'],
    find: (_query, id) => (snapshot, isVisible) => ({
      rows: rowList(allocationsWhere(snapshot, 'NodeID', id), isVisible, omitEmpty, 'Job'),
    }),
  }),
  ...nodeWrites,
];
