import { firstParameter } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { listErrors } from '../model/job-rules/findings.js';
import {
  maxDescriptionLength,
  namespaceName,
  namespaces,
  namespaceShape,
  type NamespaceInput,
  type Namespace,
} from '../model/namespace.js';
import { getRow } from '../state/table.js';
import type { Transaction } from '../state/transaction.js';
import { deleteNamespace, writeNamespace } from '../state/write-namespace.js';
import { quote } from '../model/quote.js';
import { accessOf, refuse, requireManagement } from './access.js';
import { sendText, setIndexHeader } from '../requests/answer.js';
import { readBody } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { addListRoute, type ListResource } from './list-route.js';
import { addReadRoute, rowPart, type ReadResource } from './read-route.js';
import { hangUpSignal, pathAfter, queryOf, requireRegion } from '../requests/request.js';

const namespaceList: ListResource<Namespace> = {
  path: '/v1/namespaces',
  tables: ['namespaces'],
  schema: namespaces.schema,
  filteringParameters: ['prefix'],
  canReverse: false,
  authorise: (access) => (access.management ? null : ({ Name }) => access.seesNamespace(Name)),
  select: ({ tables }, { prefix }) => ({ rows: tables.namespaces.primary, keyPrefix: prefix, where: null }),
  stub: () => (namespace) => namespace,
};

const namespaceRead: ReadResource = {
  prefix: '/v1/namespace/',
  authorise(access, _query, name) {
    if (!access.seesNamespace(name)) refuse();
    return () => true;
  },
  parts: [
    rowPart(
      'namespaces',
      ({ tables }, name) => getRow(tables.namespaces, name),
      (namespace: Namespace) => namespace,
      'Namespace not found',
    ),
  ],
};

/** Adds the routes of namespaces. */
export function addNamespaceRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, namespaceList);
  addReadRoute(app, context, namespaceRead);

  async function write(
    request: FastifyRequest,
    reply: FastifyReply,
    action: (transaction: Transaction) => number,
  ): Promise<FastifyReply> {
    requireRegion(firstParameter(queryOf(request, context.limits), 'region'), context.region);
    await context.leader.require(hangUpSignal(reply));
    setIndexHeader(reply, await context.state.write(action));
    return sendText(reply, 200, '');
  }

  async function put(
    request: FastifyRequest,
    reply: FastifyReply,
    pathName: string | null,
  ): Promise<FastifyReply> {
    requireManagement(accessOf(request, context));
    const given = checkNamespace(readBody(namespaceShape, request.body), pathName);
    return write(request, reply, (transaction) => writeNamespace(transaction, given, context.intern));
  }

  const { prefix } = namespaceRead;
  for (const method of ['PUT', 'POST'] as const) {
    app.route({ method, url: '/v1/namespace', handler: (request, reply) => put(request, reply, null) });
    app.route({
      method,
      url: `${prefix}*`,
      handler: (request, reply) => put(request, reply, pathAfter(request, prefix)),
    });
  }
  app.delete(`${prefix}*`, async (request, reply) => {
    requireManagement(accessOf(request, context));
    const name = pathAfter(request, prefix);
    return write(request, reply, (transaction) => deleteNamespace(transaction, name));
  });
}

/** @throws SchedulerError `bad-namespace` */
function checkNamespace(
  given: NamespaceInput,
  pathName: string | null,
): NamespaceInput & { readonly Name: string } {
  const Name = given.Name || pathName || '';
  if (pathName !== null && Name !== pathName) {
    throw new SchedulerError('bad-namespace', 'Namespace name does not match request path');
  }
  const errors: string[] = [];
  // Where a name is only a little too long all of it is told.
  const shown = quote(Name, 256);
  if (!namespaceName.test(Name)) {
    // The words are those that clients look for.
    errors.push(`invalid name ${shown}. Must match regex ${namespaceName.source}`);
  }
  if ((given.Description ?? '').length > maxDescriptionLength) {
    errors.push(`description longer than ${maxDescriptionLength}`);
  }
  if (errors.length > 0) {
    throw new SchedulerError('bad-namespace', `Invalid namespace ${shown}: ${listErrors(errors)}`);
  }
  return { ...given, Name };
}
