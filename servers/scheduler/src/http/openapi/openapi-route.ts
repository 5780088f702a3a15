import type { FastifyInstance } from 'fastify';
import type { AgentContext } from '../agent-context.js';
import { sendJson } from '../../requests/answer.js';
import { parsePretty } from '../../requests/query.js';
import { queryOf } from '../../requests/request.js';
import { createDocument } from './document.js';

/** Adds the description of the whole interface. It tells nothing that the documentation does not, so anybody may read it. */
export function addOpenApiRoute(app: FastifyInstance, { limits }: Pick<AgentContext, 'limits'>): void {
  const document = createDocument();
  app.get('/v1/openapi.json', (request, reply) =>
    sendJson(reply, document, parsePretty(queryOf(request, limits))),
  );
}
