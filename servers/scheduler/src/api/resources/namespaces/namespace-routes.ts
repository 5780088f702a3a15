import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import {
  maxDescriptionLength,
  namespaceName,
  namespaces,
  namespaceShape,
  type Namespace,
  type NamespaceInput,
} from '@tamis/scheduler-model/namespace.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { deleteNamespace, writeNamespace } from '@tamis/scheduler-state/state/write-namespace.js';
import { refuse } from '../../kernel/access.js';
import { readBody } from '../../kernel/requests/body.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { crudRoutes } from '../../lists/crud-routes.js';

const name = 'any right on the namespace';

const path = '/v1/namespace/{name}';

const routes = crudRoutes<Namespace>({
  common: { tag: 'namespaces' },
  nouns: ['a namespace', 'namespaces'],
  table: 'namespaces',
  list: {
    path: '/v1/namespaces',
    right: { name, grant: (access) => (access.management ? null : ({ Name }) => access.seesNamespace(Name)) },
    entry: 'Namespace',
    resource: namespaces,
  },
  one: {
    path,
    right: { name, grant: (access, _query, id) => (access.seesNamespace(id) ? undefined : refuse()) },
    schema: 'Namespace',
    missing: 'Namespace not found',
  },
  writes: { schema: 'Namespace' },
  remove: deleteNamespace,
});

/** Creates a write whose path may contain the namespace. */
function namespaceWrite(path: string, summary: string, isNamed: boolean): ClusterRoute {
  return routes.write({
    path,
    summary,
    parse: ({ request, id }) => checkNamespace(readBody(namespaceShape, request.body), isNamed ? id : null),
    write: (given, { state }) => state.write((transaction) => writeNamespace(transaction, given)),
  });
}

/** The routes of namespaces. */
export const namespaceRoutes: readonly ClusterRoute[] = [
  routes.list,
  routes.read,
  namespaceWrite('/v1/namespace', 'Write a namespace', false),
  namespaceWrite(path, 'Write a namespace under its name', true),
  routes.remove,
];

/** @throws SchedulerError `bad-request` */
function checkNamespace(
  given: NamespaceInput,
  pathName: string | null,
): NamespaceInput & { readonly Name: string } {
  const Name = given.Name || pathName || '';
  if (pathName !== null && Name !== pathName) throw badRequest('Namespace name does not match request path');
  const errors: string[] = [];
  // A name that is only slightly too long is shown in full.
  const quoted = quote(Name, 256);
  if (!namespaceName.test(Name)) {
    // The message is the one that clients look for.
    errors.push(`invalid name ${quoted}. Must match regex ${namespaceName.source}`);
  }
  if ((given.Description ?? '').length > maxDescriptionLength) {
    errors.push(`description longer than ${maxDescriptionLength}`);
  }
  if (errors.length > 0) throw badRequest(`Invalid namespace ${quoted}: ${listErrors(errors)}`);
  return { ...given, Name };
}
