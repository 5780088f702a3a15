import { createAgent, type Agent } from '../../src/agent/agent.js';
import {
  defaultAgentConfig,
  type AgentConfig,
  type TlsMaterial,
} from '../../src/agent/settings/agent-config.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';
import { createLogHub, type LogHub } from '../../src/services/logs/log-hub.js';
import type { Site } from '../../src/api/kernel/site.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { createFakeMachine } from '../../../scheduler-model/test/support/fake-machine.js';

export interface TestOptions {
  readonly config?: Partial<AgentConfig>;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly machine?: Machine;
  readonly storage?: Storage;
  readonly logs?: LogHub;
  readonly tls?: TlsMaterial;
  readonly site?: Site | null;
  readonly docsFolder?: string;
  /** The import, one object a line. */
  readonly lines?: readonly object[];
}

/** An agent on a frozen clock and with ids that count up. Without `lines` it is empty. */
export async function createTestAgent(options: TestOptions = {}): Promise<Agent> {
  let ids = 0;
  const { lines } = options;
  return createAgent(
    {
      ...defaultAgentConfig,
      port: 0,
      rpcPort: 0,
      serfPort: 0,
      // What was registered stays pending, unless a test has something to do with the workers.
      server: { ...defaultAgentConfig.server, pauseEvalBroker: true },
      fill: lines === undefined ? { kind: 'nothing' } : { kind: 'import', file: 'test.ndjson' },
      ...options.config,
    },
    {
      clock: options.clock ?? createFakeClock(),
      random: options.random ?? (() => 0.5),
      uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
      storage: options.storage ?? createMemoryStorage(),
      logs: options.logs ?? createLogHub({ level: 'silent', write: () => undefined }),
      machine: options.machine ?? createFakeMachine(),
      commandLine: ['scheduler', 'agent'],
      report: () => ({}),
      tls: options.tls ?? null,
      site: options.site ?? null,
      ...(options.docsFolder === undefined ? {} : { docsFolder: options.docsFolder }),
      readLines: () => ({ lines: linesOf(lines ?? []), done: () => null }),
    },
  );
}

async function* linesOf(objects: readonly object[]): AsyncGenerator<string> {
  for (const object of objects) yield JSON.stringify(object);
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  json(): unknown;
}

/** Calls an agent without a socket. */
export async function call(
  { app }: Agent,
  path: string,
  init: { method?: string; body?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Promise<TestResponse> {
  const { body } = init;
  const response = await app.inject({
    method: (init.method ?? 'GET') as 'GET',
    url: path,
    headers: { ...init.headers },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    json: () => response.json() as unknown,
  };
}

/** A path with its parameters encoded. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

/** The IDs of a list, in order. */
export function idsOf(response: TestResponse): string[] {
  return (response.json() as readonly { readonly ID: string }[]).map(({ ID }) => ID);
}
