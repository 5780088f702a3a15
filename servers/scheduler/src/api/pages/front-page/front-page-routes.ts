import type { FastifyRequest } from 'fastify';
import type { AgentContext } from '../../kernel/agent-context.js';
import { healthOf } from '../../agent/agent-health.js';
import { agentRoute, nothingToParse, type AgentRoute } from '../../kernel/agent-route.js';
import { siteResponse } from '../console/site-response.js';
import { textResponse, type RouteResponse } from '../../kernel/response.js';
import { parseReadQuery } from '../../kernel/query.js';
import { noRight } from '../../kernel/rights.js';
import type { Call } from '../../kernel/route.js';
import { renderPage, stylePath, type Count } from './page.js';
import { style } from './style.js';

/** What all pages declare: no parameters and no right. */
export const page = {
  tag: 'page',
  parameters: [],
  right: noRight,
  response: { kind: 'page' },
  parse: nothingToParse,
} as const;

const consolePath = '/ui/';
/** Works without scripts, and is the only page if the agent has no console. */
const plainPath = '/ui/plain';

/**
 * The pages for browsers: the console, and one that works without scripts. With ACLs the latter shows only what requires no
 * right; the console prompts for a token and uses the API.
 *
 * @param counts the number of rows per kind; null if the agent has no state.
 */
export function frontPageRoutes(counts: (() => readonly Count[]) | null): readonly AgentRoute[] {
  const summary = 'Show the way to the pages of the agent';
  return [
    agentRoute({ ...page, path: '/', summary, run: (_input, _context, call) => leadTo(consolePath, call) }),
    agentRoute({ ...page, path: '/ui', summary, run: (_input, _context, call) => leadTo(consolePath, call) }),
    agentRoute({
      ...page,
      path: consolePath,
      summary: 'Show the console',
      run: (_input, { site }, call) =>
        site === null ? leadTo(plainPath, call) : siteResponse(call.request, site.index),
    }),
    agentRoute({
      ...page,
      path: `${consolePath}{path}`,
      summary: 'Show a page or a file of the console',
      run: (_input, { site }, { id, request }) => {
        const file = site?.files.get(id);
        if (file !== undefined) return siteResponse(request, file);
        // The console decides which paths are pages; a missing file is not one of them.
        return site === null || id.startsWith('assets/')
          ? textResponse(404, '')
          : siteResponse(request, site.index);
      },
    }),
    agentRoute({
      ...page,
      path: plainPath,
      summary: 'Show the page of the agent',
      run: (_input, context, call) => sendPage(context, counts, call),
    }),
    agentRoute({
      ...page,
      path: stylePath,
      summary: 'Style the page of the agent',
      run: () => ({ headers: protection, type: 'text/css; charset=utf-8', body: style }),
    }),
  ];
}

async function sendPage(
  context: AgentContext,
  counts: (() => readonly Count[]) | null,
  { request }: Call,
): Promise<RouteResponse> {
  const { acl, name } = context;
  const health = await healthOf(context, parseReadQuery(new Map()));
  const body = renderPage({
    address: addressOf(request),
    region: name.region,
    health: Object.entries(health).map(([part, state]) => ({ part, ...state })),
    agent: acl ? null : { name: name.node, version: String(context.describeConfig()['Version']) },
    counts: acl ? null : (counts?.() ?? null),
    acl,
  });
  return { headers: protection, type: 'text/html; charset=utf-8', body };
}

function leadTo(path: string, { request }: Call): RouteResponse {
  const mark = request.url.indexOf('?');
  return { status: 307, headers: { location: `${path}${mark === -1 ? '' : request.url.slice(mark)}` } };
}

/** The page loads only its own style, runs no scripts, and cannot be embedded. */
const protection = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/** The host comes from the client, and the page contains shell commands with it. */
function addressOf({ headers, protocol }: FastifyRequest): string {
  const { host = '' } = headers;
  return `${protocol}://${/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}
