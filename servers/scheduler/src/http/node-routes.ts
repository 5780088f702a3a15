import type { FastifyInstance } from 'fastify';
import { nodeFilterSchema, nodeStub, publicNode, type Node } from '../model/node.js';
import { getRow } from '../state/table.js';
import type { HttpContext } from './context.js';
import { addListRoute, type ListResource } from './list-route.js';
import { parseSwitch } from './query.js';
import { addReadRoute, type ReadResource } from './read-route.js';

const nodeList: ListResource<Node> = {
  path: '/v1/nodes',
  tables: ['nodes'],
  schema: nodeFilterSchema,
  filteringParameters: ['prefix'],
  canReverse: false,
  select: ({ tables }, { prefix }) => ({ rows: tables.nodes.primary, keyPrefix: prefix, where: null }),
  stub({ parameters }) {
    const refusal = 'Failed to parse node list fields: ';
    const fields = {
      resources: parseSwitch(parameters, 'resources', refusal),
      os: parseSwitch(parameters, 'os', refusal),
    };
    return (node) => nodeStub(node, fields);
  },
};

const nodeRead: ReadResource<Node> = {
  prefix: '/v1/node/',
  table: 'nodes',
  find: ({ tables }, id) => getRow(tables.nodes, id),
  show: publicNode,
  missing: 'node not found',
  otherSuffixes: ['/allocations', '/evaluate', '/drain', '/eligibility', '/purge'],
};

/** Adds the routes of nodes. */
export function addNodeRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, nodeList);
  addReadRoute(app, context, nodeRead);
}
