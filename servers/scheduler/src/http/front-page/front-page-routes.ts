import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AgentContext } from '../agent-context.js';
import { healthOf } from '../agent-health.js';
import { parseReadQuery } from '../../requests/query.js';
import { renderPage, stylePath, type Count } from './page.js';
import { style } from './style.js';

/** The page loads its own style and nothing else, runs nothing, and cannot be put into another page. */
const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page for whoever opens the agent in a browser. With access control it tells what needs no right. */
export function addFrontPage(
  app: FastifyInstance,
  context: AgentContext,
  counts: (() => readonly Count[]) | null,
): void {
  const lead = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const mark = request.url.indexOf('?');
    return reply.redirect(`/ui/${mark === -1 ? '' : request.url.slice(mark)}`, 307);
  };
  app.get('/', lead);
  app.get('/ui', lead);
  app.get('/ui/', async (request, reply) => {
    const { acl, name } = context;
    const health = await healthOf(context, parseReadQuery(new Map()));
    const page = renderPage({
      address: addressOf(request),
      region: name.region,
      health: Object.entries(health).map(([part, state]) => ({ part, ...state })),
      agent: acl ? null : { name: name.node, version: String(context.describeConfig()['Version']) },
      counts: acl ? null : (counts?.() ?? null),
      acl,
    });
    return protect(reply).type('text/html; charset=utf-8').send(page);
  });
  app.get(stylePath, (_request, reply) => protect(reply).type('text/css; charset=utf-8').send(style));
}

function protect(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  });
}

/** The host is what a stranger has written, and the page asks to paste it into a shell. */
function addressOf({ headers, protocol }: FastifyRequest): string {
  const { host = '' } = headers;
  return `${protocol}://${/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}
