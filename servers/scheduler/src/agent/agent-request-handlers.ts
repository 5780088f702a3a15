import { createAgentService, type AgentService } from '../host/agent-service.js';
import { createDiskReader } from '../host/disks.js';
import { createHostReader } from '../host/host-data.js';
import type { Clock } from '../clock.js';
import type { Machine } from '../host/machine.js';
import { createMonitorHandler } from '../http/agent-monitor.js';
import { createProfileHandler } from '../http/agent-profiles.js';
import type { LogHub } from '../logs/log-hub.js';
import type { Profiles } from '../profiles/profiles.js';
import { createHostHandler } from './host-handler.js';

export interface AgentRequestHandlerDependencies {
  readonly clock: Clock;
  readonly logs: LogHub;
  readonly machine: Machine;
  readonly profiles: Profiles | null;
}

/** What this process tells about itself, under each of the names that it goes by: of its server and of its client. */
export function createAgentRequestHandlers({
  clock,
  logs,
  machine,
  profiles,
}: AgentRequestHandlerDependencies): (agentId: string) => AgentService {
  const readHost = createHostReader(machine, createDiskReader(machine, clock));
  const monitor = createMonitorHandler(logs, clock);
  const pprof = createProfileHandler(profiles);
  return (agentId) =>
    createAgentService(
      new Map([
        ['host', createHostHandler(agentId, readHost)],
        ['monitor', monitor],
        ['pprof', pprof],
      ]),
    );
}
