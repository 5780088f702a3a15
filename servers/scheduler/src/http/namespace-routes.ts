import type { Access } from '../acl/access.js';
import { SchedulerError } from '../errors.js';
import { listErrors } from '../model/job-rules/findings.js';
import {
  maxDescriptionLength,
  namespaceName,
  namespaces,
  namespaceShape,
  type Namespace,
  type NamespaceInput,
} from '../model/namespace.js';
import { quote } from '../model/quote.js';
import { getRow } from 'tamis/table';
import type { Transaction } from '../state/transaction.js';
import { deleteNamespace, writeNamespace } from '../state/write-namespace.js';
import { refuse } from './access.js';
import { readBody } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { listRoute } from './list-route.js';
import { foundRow, readRoute } from './read-route.js';
import { management } from './rights.js';
import type { Call, Route, RouteFacts } from './route.js';
import { writeRoute } from './write-route.js';

const name = 'any right on the namespace';

/** A write that answers with nothing but its index. */
function namespaceWrite(
  facts: Pick<RouteFacts, 'path' | 'summary'> & Partial<Pick<RouteFacts, 'body' | 'failures'>>,
  parse: (call: Call, context: HttpContext) => (transaction: Transaction) => number,
  method: 'put' | 'delete' = 'put',
): Route<HttpContext, Access> {
  return writeRoute({
    ...facts,
    method,
    tag: 'namespaces',
    right: management,
    answer: { kind: 'empty' },
    parse,
    write: (action, { state }) => state.write(action),
    show: (index) => ({ index, body: null }),
  });
}

const body = { schema: 'Namespace', required: true } as const;

/** The routes of namespaces. */
export const namespaceRoutes: readonly Route<HttpContext, Access>[] = [
  listRoute<Namespace>({
    path: '/v1/namespaces',
    summary: 'List namespaces',
    tag: 'namespaces',
    right: { name, grant: (access) => (access.management ? null : ({ Name }) => access.seesNamespace(Name)) },
    entry: 'Namespace',
    tables: ['namespaces'],
    resource: namespaces,
    select: ({ tables }, { prefix }) => ({ rows: tables.namespaces.primary, keyPrefix: prefix, where: null }),
    stub: () => (namespace) => namespace,
  }),
  readRoute<void>({
    path: '/v1/namespace/{name}',
    summary: 'Read a namespace',
    tag: 'namespaces',
    right: { name, grant: (access, _query, id) => (access.seesNamespace(id) ? undefined : refuse()) },
    answer: { kind: 'json', schema: 'Namespace' },
    tables: ['namespaces'],
    missing: 'Namespace not found',
    find:
      (_query, id) =>
      ({ tables }) =>
        foundRow(getRow(tables.namespaces, id)),
  }),
  namespaceWrite({ path: '/v1/namespace', summary: 'Write a namespace', body }, ({ request }, { intern }) => {
    const given = checkNamespace(readBody(namespaceShape, request.body), null);
    return (transaction) => writeNamespace(transaction, given, intern);
  }),
  namespaceWrite(
    { path: '/v1/namespace/{name}', summary: 'Write a namespace under its name', body },
    ({ request, id }, { intern }) => {
      const given = checkNamespace(readBody(namespaceShape, request.body), id);
      return (transaction) => writeNamespace(transaction, given, intern);
    },
  ),
  namespaceWrite(
    { path: '/v1/namespace/{name}', summary: 'Delete a namespace', failures: [404] },
    ({ id }) =>
      (transaction) =>
        deleteNamespace(transaction, id),
    'delete',
  ),
];

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
