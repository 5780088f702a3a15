import type { FastifyRequest } from 'fastify';
import type { AgentAccess, AgentContext } from '../agent-context.js';
import { healthOf } from '../agent-health.js';
import { agentRoute, nothingToParse } from '../agent-route.js';
import { type RouteResponse } from '../response.js';
import { parseReadQuery } from '../query.js';
import { noRight } from '../rights.js';
import type { Call, Route } from '../route.js';
import { renderPage, stylePath, type Count } from './page.js';
import { style } from './style.js';

const page = {
  tag: 'page',
  parameters: [],
  right: noRight,
  answer: { kind: 'page' },
  parse: nothingToParse,
} as const;

/**
 * A page for whoever opens the agent in a browser. With access control it tells what needs no right.
 *
 * @param counts how many rows there are of what; null where the agent has no state.
 */
export function frontPageRoutes(
  counts: (() => readonly Count[]) | null,
): readonly Route<AgentContext, AgentAccess>[] {
  const summary = 'Show the way to the page of the agent';
  return [
    agentRoute({ ...page, path: '/', summary, run: leadToPage }),
    agentRoute({ ...page, path: '/ui', summary, run: leadToPage }),
    agentRoute({
      ...page,
      path: '/ui/',
      summary: 'Show the page of the agent',
      async run(_input, context, { request }) {
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
      },
    }),
    agentRoute({
      ...page,
      path: stylePath,
      summary: 'Style the page of the agent',
      run: () => ({ headers: protection, type: 'text/css; charset=utf-8', body: style }),
    }),
  ];
}

function leadToPage(_input: void, _context: AgentContext, { request }: Call): RouteResponse {
  const mark = request.url.indexOf('?');
  return { status: 307, headers: { location: `/ui/${mark === -1 ? '' : request.url.slice(mark)}` } };
}

/** The page loads its own style and nothing else, runs nothing, and cannot be put into another page. */
const protection = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

/** The host is what a stranger has written, and the page asks to paste it into a shell. */
function addressOf({ headers, protocol }: FastifyRequest): string {
  const { host = '' } = headers;
  return `${protocol}://${/^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : 'localhost'}`;
}
