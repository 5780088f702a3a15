import {
  createAgentService,
  jsonResponse,
  type AgentHandler,
  type AgentHandlers,
  type AgentService,
} from '@tamis/scheduler-model/host/agent-service.js';
import { createDiskReader } from '@tamis/scheduler-model/host/disks.js';
import { createHostReader, type HostData } from '@tamis/scheduler-model/host/host-data.js';
import { createMonitorHandler } from '../api/agent/agent-monitor.js';
import { createProfileHandler } from '../api/agent/agent-profiles.js';
import type { Profiles } from '../services/profiles/profiles.js';
import { writeBody } from '../api/kernel/requests/response-body.js';
import { parsePretty } from '../api/kernel/query.js';
import type { AgentDependencies } from './agent-dependencies.js';

export interface AgentRequestHandlerDependencies extends Pick<
  AgentDependencies,
  'clock' | 'logs' | 'machine'
> {
  readonly profiles: Profiles | null;
}

/**
 * Creates the request handlers of this agent for one of its IDs.
 *
 * @param own handlers of requests that only this ID supports.
 */
export type ServiceOf = (agentId: string, own?: AgentHandlers) => AgentService;

/** Creates the handlers of requests to an agent about itself, for each of its IDs: of its server and its client. */
export function createAgentRequestHandlers({
  clock,
  logs,
  machine,
  profiles,
}: AgentRequestHandlerDependencies): ServiceOf {
  const readHost = createHostReader(machine, createDiskReader(machine, clock));
  const monitor = createMonitorHandler(logs, clock);
  const pprof = createProfileHandler(profiles);
  return (agentId, own = new Map()) =>
    createAgentService(
      new Map([
        ['host', createHostHandler(agentId, readHost)],
        ['monitor', monitor],
        ['pprof', pprof],
        ...own,
      ]),
    );
}

function createHostHandler(agentId: string, readHost: () => Promise<HostData>): AgentHandler {
  return async (_rest, { parameters }) =>
    jsonResponse(writeBody({ AgentID: agentId, HostData: await readHost() }, parsePretty(parameters)));
}
