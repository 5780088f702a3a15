import { jsonAnswer, type AgentAnswerer } from '../host/agent-service.js';
import type { HostData } from '../host/host-data.js';
import { writeBody } from '../requests/answer.js';
import { parsePretty } from '../requests/query.js';

/** Answers what an agent is asked about its machine, under the name that it goes by. */
export function createHostAnswerer(agentId: string, readHost: () => Promise<HostData>): AgentAnswerer {
  return async (_rest, { parameters }) =>
    jsonAnswer(writeBody({ AgentID: agentId, HostData: await readHost() }, parsePretty(parameters)));
}
