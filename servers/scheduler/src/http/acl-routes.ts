import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../acl/access.js';
import { idleParts, readPolicyRules } from '../acl/policy-rules.js';
import { checkTokenLifetime, formatTime, readTokenRequest, tokenRequestShape } from '../acl/token-request.js';
import { SchedulerError } from '../errors.js';
import {
  aclPolicies,
  aclPolicyShape,
  aclPolicyStub,
  maxPolicyDescriptionLength,
  policyName,
  type AclPolicy,
  type AclPolicyInput,
} from '../model/acl-policy.js';
import {
  aclTokens,
  aclTokenStub,
  publicAclToken,
  type AclToken,
  type AclTokenSpec,
} from '../model/acl-token.js';
import { s } from '../model/shape.js';
import { getRow } from '../state/table.js';
import type { Transaction } from '../state/transaction.js';
import { deleteAclPolicy, writeAclPolicy } from '../state/write-acl-policy.js';
import {
  bootstrapAcl,
  createAclToken,
  deleteAclToken,
  updateAclToken,
  type TokenIdentity,
} from '../state/write-acl-token.js';
import { quote } from '../model/quote.js';
import { accessOf, refuse, requireManagement, secretOf } from './access.js';
import { sendJson, sendText, setIndexHeader } from '../requests/answer.js';
import { readBody } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { addListRoute, type ListResource } from './list-route.js';
import { parsePretty, parseReadQuery } from '../requests/query.js';
import { addReadRoute, answerRead, rowPart, type ReadResource } from './read-route.js';
import { hangUpSignal, pathAfter, pathOf, queryOf, requireRegion } from '../requests/request.js';
import { explainMissing } from './unbuilt-routes.js';

const tokenPrefix = '/v1/acl/token/';
const policyPrefix = '/v1/acl/policy/';

/** Adds the routes of tokens and policies. While access control is off they say so. */
export function addAclRoutes(app: FastifyInstance, context: HttpContext): void {
  const authorise = (access: Access): void => {
    requireEnabled(context);
    requireManagement(access);
  };
  // The answers hold secrets: nobody on the way is to keep them.
  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.startsWith('/v1/acl/')) reply.header('cache-control', 'no-store');
  });
  addListRoute(app, context, tokenList(authorise));
  addListRoute(app, context, policyList(context));
  addReadRoute(app, context, tokenRead(authorise));
  addReadRoute(app, context, policyRead(context));
  addOwnTokenRoute(app, context);
  addBootstrapRoute(app, context);
  addTokenWrites(app, context);
  addPolicyWrites(app, context);
}

type Authorise = (access: Access) => void;

function tokenList(authorise: Authorise): ListResource<AclToken> {
  return {
    path: '/v1/acl/tokens',
    tables: ['acl_tokens'],
    schema: aclTokens.schema,
    filteringParameters: ['prefix'],
    canReverse: true,
    authorise: (access) => (authorise(access), null),
    select: ({ tables }, { prefix }) => ({ rows: tables.acl_tokens.primary, keyPrefix: prefix, where: null }),
    stub: () => aclTokenStub,
  };
}

/** Who is no manager sees the policies of the token that they have. */
function policyList(context: HttpContext): ListResource<AclPolicy> {
  return {
    path: '/v1/acl/policies',
    tables: ['acl_policies'],
    schema: aclPolicies.schema,
    filteringParameters: ['prefix'],
    canReverse: true,
    authorise(access) {
      requireEnabled(context);
      const { policies } = access;
      if (policies === null) return null;
      return policies.size === 0 ? refuse() : ({ Name }) => policies.has(Name);
    },
    select: ({ tables }, { prefix }) => ({
      rows: tables.acl_policies.primary,
      keyPrefix: prefix,
      where: null,
    }),
    stub: () => aclPolicyStub,
  };
}

function tokenRead(authorise: Authorise): ReadResource {
  return {
    prefix: tokenPrefix,
    authorise: (access) => (authorise(access), () => true),
    parts: [
      rowPart(
        'acl_tokens',
        ({ tables }, id) => getRow(tables.acl_tokens, id),
        publicAclToken,
        'ACL token not found',
      ),
    ],
  };
}

function policyRead(context: HttpContext): ReadResource {
  return {
    prefix: policyPrefix,
    authorise({ policies }, _query, name) {
      requireEnabled(context);
      return policies === null || policies.has(name) ? () => true : refuse();
    },
    parts: [
      rowPart(
        'acl_policies',
        ({ tables }, name) => getRow(tables.acl_policies, name),
        (policy) => policy,
        'ACL policy not found',
      ),
    ],
  };
}

/** Everybody may look at the token that they have. */
function addOwnTokenRoute(app: FastifyInstance, context: HttpContext): void {
  app.get(`${tokenPrefix}self`, async (request, reply) => {
    requireEnabled(context);
    const query = parseReadQuery(queryOf(request, context.limits));
    requireRegion(query.region, context.region);
    return answerRead(context, reply, query, {
      tables: ['acl_tokens'],
      missing: 'ACL token not found',
      find(snapshot) {
        const token = context.access.findToken(secretOf(request), snapshot) ?? refuse();
        return { index: token.ModifyIndex, show: () => publicAclToken(token) };
      },
    });
  });
}

const bootstrapShape = s.struct({ BootstrapSecret: s.string });
const uuidText = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function addBootstrapRoute(app: FastifyInstance, context: HttpContext): void {
  addWrite(app, '/v1/acl/bootstrap', async (request, reply) => {
    requireEnabled(context);
    const hasBody = typeof request.body === 'string' && request.body.trim() !== '';
    const { BootstrapSecret: given = '' } = hasBody ? readBody(bootstrapShape, request.body) : {};
    await prepareWrite(request, reply, context);
    const resetIndex = await context.aclReset();
    const token = await context.state.write((transaction) => {
      const made = bootstrapAcl(transaction, newIdentity(context, given), resetIndex);
      // That it has been done already is told first.
      if (given !== '' && !uuidText.test(given)) throw new SchedulerError('bad-acl', 'invalid acl token');
      return made;
    });
    // Whoever did not do this wants to know that somebody has.
    request.log.warn({ accessor: token.AccessorID }, 'a first management token was made');
    return sendToken(request, reply, context, token);
  });
}

function addTokenWrites(app: FastifyInstance, context: HttpContext): void {
  addWrite(app, '/v1/acl/token', async (request, reply) => {
    const { spec, accessorId, now } = await readToken(request, reply, context);
    if (accessorId !== '') refuseAccessor('is given by the server: leave it out of a new token');
    checkTokenLifetime(spec, now, context.tokenLifetime);
    const token = await context.state.write((transaction) =>
      createAclToken(transaction, spec, newIdentity(context)),
    );
    return sendToken(request, reply, context, token);
  });
  addWrite(app, `${tokenPrefix}*`, async (request, reply) => {
    const missing = explainMissing(pathOf(request));
    if (missing !== '') return sendText(reply, 404, missing);
    const { spec, accessorId } = await readToken(request, reply, context);
    const id = pathAfter(request, tokenPrefix);
    if (accessorId !== '' && accessorId !== id) refuseAccessor('does not match request path');
    const token = await context.state.write((transaction) => updateAclToken(transaction, id, spec));
    return sendToken(request, reply, context, token);
  });
  addDelete(app, context, tokenPrefix, deleteAclToken);
}

function refuseAccessor(problem: string): never {
  throw new SchedulerError('bad-acl', `ACL token accessor ${problem}`);
}

function addPolicyWrites(app: FastifyInstance, context: HttpContext): void {
  addWrite(app, `${policyPrefix}*`, async (request, reply) => {
    requireAclManagement(request, context);
    const given = readBody(aclPolicyShape, request.body);
    const policy = checkPolicy(given, pathAfter(request, policyPrefix));
    await prepareWrite(request, reply, context);
    setIndexHeader(reply, await context.state.write((transaction) => writeAclPolicy(transaction, policy)));
    const idle = idleParts(policy.Rules);
    // The answer has no body to say so in.
    if (idle.length > 0)
      request.log.warn({ policy: policy.Name, idle }, 'parts of a policy have no effect here');
    return sendText(reply, 200, '');
  });
  addDelete(app, context, policyPrefix, deleteAclPolicy);
}

/** @throws SchedulerError `bad-acl` */
function checkPolicy(
  given: AclPolicyInput,
  pathName: string,
): Pick<AclPolicy, 'Name' | 'Description' | 'Rules'> {
  const { Name = pathName, Description = '', Rules = '' } = given;
  if (Name !== pathName) throw new SchedulerError('bad-acl', 'ACL policy name does not match request path');
  if (!policyName.test(Name)) {
    const shown = quote(Name);
    throw new SchedulerError(
      'bad-acl',
      `invalid name ${shown}: expected 1 to 128 letters, digits and dashes`,
    );
  }
  if (Description.length > maxPolicyDescriptionLength) {
    throw new SchedulerError('bad-acl', `description longer than ${maxPolicyDescriptionLength}`);
  }
  readPolicyRules(Rules);
  return { Name, Description, Rules };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** PUT and POST are the same everywhere. */
function addWrite(app: FastifyInstance, url: string, handler: Handler): void {
  for (const method of ['PUT', 'POST'] as const) app.route({ method, url, handler });
}

function addDelete(
  app: FastifyInstance,
  context: HttpContext,
  prefix: string,
  remove: (transaction: Transaction, id: string) => number,
): void {
  app.delete(`${prefix}*`, async (request, reply) => {
    requireAclManagement(request, context);
    await prepareWrite(request, reply, context);
    const id = pathAfter(request, prefix);
    setIndexHeader(reply, await context.state.write((transaction) => remove(transaction, id)));
    return sendText(reply, 200, '');
  });
}

async function readToken(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<{ readonly spec: AclTokenSpec; readonly accessorId: string; readonly now: number }> {
  requireAclManagement(request, context);
  const given = readBody(tokenRequestShape, request.body);
  // One moment for all of the request: a life of exactly the least length is long enough.
  const now = context.clock.now();
  const spec = readTokenRequest(given, now);
  await prepareWrite(request, reply, context);
  return { spec, accessorId: given.AccessorID ?? '', now };
}

function newIdentity({ uuid, clock }: HttpContext, secret = ''): TokenIdentity {
  return { accessorId: uuid(), secret: secret || uuid(), time: formatTime(clock.now()) };
}

/** @throws SchedulerError */
async function prepareWrite(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<void> {
  requireRegion(queryOf(request, context.limits).get('region')?.[0] ?? '', context.region);
  await context.leader.require(hangUpSignal(reply));
}

function sendToken(
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
  token: AclToken,
): FastifyReply {
  setIndexHeader(reply, token.ModifyIndex);
  return sendJson(reply, publicAclToken(token), parsePretty(queryOf(request, context.limits)));
}

/** @throws SchedulerError `acl-disabled` */
function requireEnabled({ access }: HttpContext): void {
  if (!access.enabled) throw new SchedulerError('acl-disabled', 'ACL support disabled');
}

function requireAclManagement(request: FastifyRequest, context: HttpContext): void {
  requireEnabled(context);
  requireManagement(accessOf(request, context));
}
