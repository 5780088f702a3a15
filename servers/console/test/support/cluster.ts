import { inject } from 'vitest';
import { defaultAgentConfig, type AgentConfig } from '../../../scheduler/src/agent/settings/agent-config.js';
import { readSite } from '../../../scheduler/src/api/kernel/site.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createAgents } from '../../../scheduler/test/support/agents.js';
import { createApiClient, type ApiClient } from '../../../scheduler/test/support/api-client.js';

/** An agent on a real socket, with the console. */
export interface Cluster {
  readonly origin: string;
  /** Requests without a token. */
  readonly api: ApiClient;
  close(): Promise<void>;
}

/** Starts a server with the sample cluster, without activity. */
export function startSample(): Promise<Cluster> {
  const { client, server } = defaultAgentConfig;
  return startCluster({ fill: { kind: 'sample', isStill: true }, client, server: { ...server, pauseEvalBroker: true } });
}

/**
 * Starts a server and a client in one agent, on which jobs of the driver `mock_driver` run.
 *
 * @param config what is to be otherwise.
 */
export async function startCluster(config: Partial<AgentConfig> = {}): Promise<Cluster> {
  const agents = createAgents();
  const site = await readSite(inject('consoleFolder'));
  const { origin } = await agents.server(
    {
      client: { ...defaultAgentConfig.client, enabled: true, mockDriver: true },
      ...config,
    },
    undefined,
    { storage: createMemoryStorage(), site },
  );
  return { origin, api: createApiClient(origin), close: agents.close };
}

/** A job of the driver that runs nothing, with tasks that go on. */
export function mockJob(ID: string, more: object = {}): object {
  const task = { Name: 'main', Driver: 'mock_driver', Config: { run_for: '1h' } };
  return {
    ...{ ID, Name: ID, Type: 'service', Datacenters: ['dc1'] },
    TaskGroups: [{ Name: 'web', Count: 1, Tasks: [task] }],
    ...more,
  };
}
