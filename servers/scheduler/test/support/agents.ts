import { createAgent, type Agent, type AgentDependencies } from '../../src/agent/agent.js';
import { createClientAgent, type ClientAgent } from '../../src/agent/client-agent.js';
import {
  defaultAgentConfig,
  type AgentConfig,
  type TlsMaterial,
} from '../../src/agent/settings/agent-config.js';
import { createLogHub, type LogHub } from '../../src/services/logs/log-hub.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createFakeMachine } from '../../../scheduler-model/test/support/fake-machine.js';
import { systemClock } from '@tamis/http';

const base: AgentConfig = {
  ...defaultAgentConfig,
  port: 0,
  rpcPort: 0,
  serfPort: 0,
  nodeName: 'srv1',
  enableDebug: true,
  fill: { kind: 'nothing' },
};

function surroundings(
  environment: Readonly<Record<string, string>>,
  logs: LogHub,
): Parameters<typeof createClientAgent>[1] {
  let ids = 0;
  const run = Math.floor(Math.random() * 2 ** 31).toString(16);
  return {
    clock: systemClock,
    random: () => 0.5,
    uuid: () => `${run.padStart(8, '0')}-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    logs,
    machine: createFakeMachine({ environment }),
    commandLine: ['scheduler', 'agent'],
    report: () => ({}),
  };
}

/** Agents on real sockets of this machine, closed together. */
export interface Agents {
  /** Starts a server; returns it and its origin. */
  server(
    config?: Partial<AgentConfig>,
    logs?: LogHub,
    store?: Pick<AgentDependencies, 'storage' | 'shared' | 'site' | 'fatal'>,
  ): Promise<{ agent: Agent; origin: string }>;
  /** Starts a client of servers, by their RPC addresses. */
  client(
    servers: readonly string[],
    config?: Partial<AgentConfig>,
    register?: boolean,
  ): Promise<{ agent: ClientAgent; origin: string }>;
  close(): Promise<void>;
}

/** @param tls if its configuration requires it. */
export function createAgents(tls: TlsMaterial | null = null): Agents {
  const open: (Agent | ClientAgent)[] = [];
  const silent = (): LogHub => createLogHub({ level: 'silent', write: () => undefined });
  return {
    async server(config = {}, logs = silent(), store = { storage: createMemoryStorage() }) {
      const agent = await createAgent(
        { ...base, ...config },
        {
          ...surroundings({ ROLE: 'server' }, logs),
          tls,
          ...store,
          readLines: () => {
            throw new Error('Nothing is imported');
          },
        },
      );
      open.unshift(agent);
      return { agent, origin: await agent.listen() };
    },
    async client(servers, config = {}, register = false) {
      const client = { ...base.client, enabled: true, servers, register };
      const server = { ...base.server, enabled: false };
      const agent = await createClientAgent(
        { ...base, nodeName: 'cli1', server, client, ...config },
        { ...surroundings({ ROLE: 'client' }, silent()), tls },
      );
      open.unshift(agent);
      return { agent, origin: await agent.listen() };
    },
    async close() {
      for (const agent of open.splice(0)) await agent.close();
    },
  };
}
