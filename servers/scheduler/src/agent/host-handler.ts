import { jsonResponse, type AgentHandler } from '../host/agent-service.js';
import type { HostData } from '../host/host-data.js';
import { writeBody } from '../requests/answer.js';
import { parsePretty } from '../requests/query.js';

/** Answers what an agent is asked about its machine, under the name that it goes by. */
export function createHostHandler(agentId: string, readHost: () => Promise<HostData>): AgentHandler {
  return async (_rest, { parameters }) =>
    jsonResponse(writeBody({ AgentID: agentId, HostData: await readHost() }, parsePretty(parameters)));
}
