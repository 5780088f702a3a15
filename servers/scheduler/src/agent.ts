import { createSlices, isLoopbackAddress } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import { createAccessResolver } from './acl/access-resolver.js';
import { readPolicyRules } from './acl/policy-rules.js';
import type { AgentConfig, TlsMaterial } from './agent-config.js';
import { createStampClock, type Clock } from './clock.js';
import { noRows, restoreCluster, type ClusterRows } from './cluster/cluster-rows.js';
import { createSingleServer } from './cluster/consensus.js';
import { readImport } from './cluster/import.js';
import { SchedulerError } from './errors.js';
import { createInFlight } from './http/in-flight.js';
import { buildServer } from './http/server.js';
import type { LogHub } from './logs/log-hub.js';
import { createIntern, type Intern } from './model/intern.js';
import { createProfiles } from './profiles/profiles.js';
import { sampleCluster } from './sample/sample-cluster.js';
import { createBlockingQueries, type BlockingQueries } from './state/blocking-query.js';
import { openState, type State } from './state/state.js';
import type { Storage } from './storage/storage.js';

/** What an agent needs from the world. */
export interface AgentDependencies {
  readonly clock: Clock;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly storage: Storage;
  readonly logs: LogHub;
  /** The command line of this process. */
  readonly commandLine: readonly string[];
  /** The process report of the runtime, as an object. */
  readonly report: () => unknown;
  /** The lines of a file, for imports. */
  readonly readLines: (file: string) => AsyncIterable<string>;
  /** What the files hold that the configuration names; left out without TLS. */
  readonly tls?: TlsMaterial | null;
}

/** An agent, put together and filled, not yet listening. */
export interface Agent {
  readonly app: FastifyInstance;
  readonly state: State;
  readonly blocking: BlockingQueries;
  /** Starts to listen; resolves with the address, such as `http://127.0.0.1:4646`. */
  listen(): Promise<string>;
  /** Lets waiting clients answer, finishes what is under way, and closes the state. */
  close(): Promise<void>;
}

/** Puts an agent together. @throws ImportError when the file to import cannot be used. */
export async function createAgent(config: AgentConfig, dependencies: AgentDependencies): Promise<Agent> {
  const { clock, random, uuid, storage, logs, commandLine, report } = dependencies;
  const intern = createIntern();
  const state = await openState({ storage, clock });
  const rows = await readFill(config, dependencies, intern);
  // A store that has been used before keeps what it has.
  if (state.snapshot().index === 0) {
    await state.write((transaction) => restoreCluster(transaction, rows, intern));
  }
  const blocking = createBlockingQueries({ state, clock, random, maxWaiters: config.maxWaiters });
  const rpcAddress = joinAddress(config.bind, config.rpcPort);
  const leader = createSingleServer({
    bootstrapExpect: config.bootstrapExpect,
    self: () => ({ name: `${config.nodeName}.${config.region}`, address: rpcAddress }),
    clock,
  });
  // The turns are those of the event loop, whatever clock the agent lives by.
  const slices = createSlices({
    now: () => performance.now(),
    soon: (action) => void setImmediate(action),
  });
  const loopback = isLoopbackAddress(config.bind);
  const inFlight = createInFlight();
  const mayProfile = config.enableDebug === true || config.acl.enabled;
  const profiles = mayProfile
    ? await createProfiles({ clock, commandLine, report, requests: inFlight.requests })
    : null;
  const app = buildServer({
    state,
    blocking,
    leader,
    slices,
    clock,
    logs,
    inFlight,
    profiles,
    uuid,
    intern,
    access: createAccessResolver({ enabled: config.acl.enabled, clock, readRules: readPolicyRules }),
    guard: { loopback, hostNames: config.hostNames.map((name) => name.toLowerCase()) },
    limits: config.http,
    tls: config.tls?.http === true ? (dependencies.tls ?? null) : null,
    responseHeaders: config.responseHeaders,
    filters: config.filters,
    answers: config.answers,
    unresolved: config.unresolved,
    rpcAddress,
    region: config.region,
    stamp: createStampClock(clock),
  });
  app.addHook('preClose', async () => {
    slices.stop(new SchedulerError('stopping', 'The agent is stopping, ask another one'));
  });
  return {
    app,
    state,
    blocking,
    listen() {
      if (!loopback && !config.acl.enabled) {
        logs.logger.warn(
          `Listening on ${config.bind} without access control: everybody who reaches it may write`,
        );
      }
      return app.listen({ host: config.bind, port: config.port });
    },
    async close() {
      await app.close();
      profiles?.close();
      await state.close();
    },
  };
}

/** Host and port in one text; the name that loopback goes by becomes its address. */
function joinAddress(host: string, port: number): string {
  const address = host === 'localhost' ? '127.0.0.1' : host;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

async function readFill(
  { fill }: AgentConfig,
  { readLines }: AgentDependencies,
  intern: Intern,
): Promise<ClusterRows> {
  switch (fill.kind) {
    case 'nothing':
      return noRows();
    case 'sample':
      return sampleCluster(intern);
    case 'import':
      return readImport(readLines(fill.file), fill.file, intern);
  }
}
