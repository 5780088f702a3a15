import { agentRoute, nothingToParse, type AgentRoute } from '../kernel/agent-route.js';
import { jsonResponse } from '../kernel/response.js';
import { noRight } from '../kernel/rights.js';
import type { RouteFacts } from '../kernel/route.js';
import { createDocument, type OpenApiDocument } from './document.js';

/** Creates the route for the OpenAPI document of the whole API. It requires no right, because the document is public. */
export function openApiRoute(routes: () => readonly RouteFacts[]): AgentRoute {
  let document: OpenApiDocument | null = null;
  return agentRoute({
    path: '/v1/openapi.json',
    summary: 'Read this document',
    tag: 'status',
    right: noRight,
    response: { kind: 'document' },
    parse: nothingToParse,
    run: (_input, _context, call) => jsonResponse(call, (document ??= createDocument(routes()))),
  });
}
