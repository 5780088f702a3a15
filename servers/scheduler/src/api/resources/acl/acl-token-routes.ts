import { t } from 'tamis';
import type { Access } from '../../../services/acl/access.js';
import {
  checkTokenLifetime,
  endOfToken,
  formatTime,
  readTokenChange,
  readTokenRequest,
  tokenRequestShape,
} from '../../../services/acl/token-request.js';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { aclTokens, aclTokenStub, publicAclToken, type AclToken } from '@tamis/scheduler-model/acl-token.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import {
  bootstrapAcl,
  createAclToken,
  deleteAclToken,
  updateAclToken,
  type TokenIdentity,
} from '@tamis/scheduler-state/state/write-acl-token.js';
import { acl } from '../../kernel/acl.js';
import { refuse, secretOf } from '../../kernel/access.js';
import { jsonResponse } from '../../kernel/response.js';
import { blockingRead, type Finding } from '../../lists/blocking-read.js';
import { readBody } from '../../kernel/requests/body.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { crudRoutes } from '../../lists/crud-routes.js';
import { defineRoute } from '../../kernel/pipeline.js';
import { parseReadQuery, type ReadQuery } from '../../kernel/query.js';
import { readParameters } from '../../lists/read-route.js';
import {
  managementRows,
  noRight,
  rightToRows,
  type GrantedRows,
  type RowsRight,
} from '../../kernel/rights.js';
import { hasBody, writeRoute } from '../../lists/write-route.js';

const path = '/v1/acl/token/{accessor_id}';
const oneToken = { kind: 'json', schema: 'AclToken' } as const;

const routes = crudRoutes<AclToken, AclToken>({
  common: acl,
  nouns: ['a token', 'tokens'],
  table: 'acl_tokens',
  list: {
    path: '/v1/acl/tokens',
    right: managementRows,
    entry: 'AclTokenListStub',
    resource: aclTokens,
    parameters: ['reverse'],
    stub: aclTokenStub,
  },
  one: {
    path,
    right: managementRows,
    schema: 'AclToken',
    missing: 'ACL token not found',
    project: publicAclToken,
  },
  writes: { schema: 'AclTokenRequest', response: { response: oneToken, project: tokenJson } },
  remove: deleteAclToken,
});

/** A right for all callers with a token. */
const anyToken: RowsRight<void> = { name: 'a token', grant: () => undefined };

/** Returns the token of the request. */
const readOwn = defineRoute<HttpContext, Access, { readonly query: ReadQuery }, GrantedRows<void>>({
  ...acl,
  path: '/v1/acl/token/self',
  summary: 'Read the token of the request',
  right: rightToRows(anyToken),
  parameters: readParameters,
  response: oneToken,
  headers: 'read',
  failures: [404, 429, 503],
  open: (context) => ({
    parse: ({ parameters }) => ({ query: parseReadQuery(parameters) }),
    isStale: ({ query }) => query.stale,
    handle({ query }, granted, call) {
      const look = (snapshot: Snapshot): Finding => {
        const token = context.access.findToken(secretOf(call.request), snapshot) ?? refuse();
        return { index: Number(token.ModifyIndex), respond: () => jsonResponse(call, publicAclToken(token)) };
      };
      return blockingRead(context, call, { query, tables: ['acl_tokens'], right: anyToken, look }, granted);
    },
  }),
});

const bootstrapShape = t.struct({ BootstrapSecret: t.string });
const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const bootstrap = writeRoute({
  ...acl,
  path: '/v1/acl/bootstrap',
  summary: 'Make the first token',
  right: noRight,
  body: { schema: 'AclBootstrapRequest', required: false },
  response: oneToken,
  parse({ request }) {
    const { BootstrapSecret = '' } = hasBody(request) ? readBody(bootstrapShape, request.body) : {};
    return BootstrapSecret;
  },
  async write(secret, context, _granted, { request }) {
    const resetIndex = await context.aclReset();
    const token = await context.state.write((transaction) => {
      const made = bootstrapAcl(transaction, newIdentity(context, secret), resetIndex);
      // A repeated bootstrap is reported before other errors.
      if (secret !== '' && !uuidText.test(secret)) throw badRequest('invalid acl token');
      return made;
    });
    // Operators must be able to notice an unauthorised bootstrap.
    request.log.warn({ accessor: token.AccessorID }, 'a first management token was made');
    return token;
  },
  project: tokenJson,
});

const create = routes.write({
  path: '/v1/acl/token',
  summary: 'Make a token',
  parse(call, context) {
    const given = readBody(tokenRequestShape, call.request.body);
    // One timestamp for the whole request: a lifetime of exactly the minimum is accepted.
    const now = context.clock.now();
    const spec = readTokenRequest(given, now);
    if ((given.AccessorID ?? '') !== '')
      refuseAccessor('is given by the server: leave it out of a new token');
    checkTokenLifetime(spec, now, context.tokenLifetime);
    return spec;
  },
  write: (spec, context) =>
    context.state.write((transaction) => {
      const identity = newIdentity(context);
      const expirationTime = endOfToken(spec, identity.time);
      return createAclToken(transaction, { ...spec, expirationTime }, identity);
    }),
});

const update = routes.write({
  path,
  summary: 'Change a token',
  failures: [404],
  parse({ id, request }) {
    const given = readBody(tokenRequestShape, request.body);
    const spec = readTokenChange(given);
    const { AccessorID: accessorId = '' } = given;
    if (accessorId !== '' && accessorId !== id) refuseAccessor('does not match request path');
    return { id, spec };
  },
  write: ({ id, spec }, { state }) => state.write((transaction) => updateAclToken(transaction, id, spec)),
});

/** The routes of tokens. */
export const aclTokenRoutes: readonly ClusterRoute[] = [
  bootstrap,
  routes.list,
  create,
  readOwn,
  routes.read,
  update,
  routes.remove,
];

function refuseAccessor(problem: string): never {
  throw badRequest(`ACL token accessor ${problem}`);
}

function newIdentity({ uuid, clock }: HttpContext, secret = ''): TokenIdentity {
  return { accessorId: uuid(), secret: secret || uuid(), time: formatTime(clock.now()) };
}

function tokenJson(token: AclToken): { readonly index: number | bigint; readonly body: object } {
  return { index: token.ModifyIndex, body: publicAclToken(token) };
}
