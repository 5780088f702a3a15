import type { FastifyInstance } from 'fastify';
import { nodes, nodeStub, publicNode, type Node } from '../model/node.js';
import { omitEmpty } from '../model/omit-empty.js';
import { getRow } from '../state/table.js';
import { requireNode } from './access.js';
import { allocationsWhere } from './allocation-routes.js';
import type { HttpContext } from './context.js';
import { addListRoute, type ListResource } from './list-route.js';
import { addNodeWrites } from './node-writes.js';
import { parseSwitch } from '../requests/query.js';
import { addReadRoute, rowPart, rowsPart, type ReadResource } from './read-route.js';
import { rowList } from './row-list.js';

const nodeList: ListResource<Node> = {
  path: '/v1/nodes',
  tables: ['nodes'],
  schema: nodes.schema,
  indexes: nodes.filterIndexes,
  filteringParameters: ['prefix'],
  canReverse: false,
  authorise(access) {
    requireNode(access, 'read');
    return null;
  },
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
};

const nodeRead: ReadResource = {
  prefix: '/v1/node/',
  authorise(access) {
    requireNode(access, 'read');
    return (row) => access.allowsNamespace('read-job', row.Namespace);
  },
  parts: [
    rowPart('nodes', ({ tables }, id) => getRow(tables.nodes, id), publicNode, 'node not found'),
    rowsPart('/allocations', 'allocations', () => (snapshot, id, isVisible) => {
      return rowList(allocationsWhere(snapshot, 'NodeID', id), isVisible, omitEmpty, 'Job');
    }),
  ],
  writes: /\/(?:evaluate|drain|eligibility|purge)$/,
};

/** Adds the routes of nodes. */
export function addNodeRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, nodeList);
  addReadRoute(app, context, nodeRead);
  addNodeWrites(app, context, nodeRead.prefix);
}
