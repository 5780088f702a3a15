import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ConfigError } from '@tamis/config';
import { readJson, writeJson, systemClock } from '@tamis/http';
import { createAgent, type Agent, type AgentDependencies } from '../../src/agent/agent.js';
import { createClientAgent, type ClientAgent } from '../../src/agent/client-agent.js';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { createMachine } from '@tamis/scheduler-model/host/machine.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { aclRules, policyOf } from '../support/acl-policies.js';
import { applySettings } from './case-settings.js';
import { CaseFileError, mapping, sequence, type Case, type Mapping } from './case-file.js';
import { exchange } from './exchange.js';
import { resolve, type Names } from './placeholder.js';

/** A server in the state that a case begins with. */
export interface Fixture {
  readonly origin: URL;
  readonly names: Names;
  close(): Promise<void>;
}

/** Why a case cannot begin: it counts as failed. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** What the fixtures that are only described in words need of the server. */
const described: Readonly<Record<string, Partial<AgentConfig>>> = {
  empty: {},
  'server-only': { client: { ...defaultAgentConfig.client, enabled: false } },
  'client-only': {},
  'no-leader': { bootstrapExpect: 3 },
  'failed-member': {
    membership: {
      kind: 'local',
      roster: [{ name: 'srv2.global', address: '127.0.0.2:4648', status: 'failed', tags: new Map() }],
    },
  },
  acl: { acl: { enabled: true } },
  'acl-fresh': { acl: { enabled: true } },
};

/** Starts a server of its own for a case and fills it. @throws FixtureError */
export async function openFixture(fixtures: Mapping, expected: Case): Promise<Fixture> {
  const { given } = expected;
  const layers = layersOf(fixtures, given);
  const names = fixtureNames(fixtures);
  const needs = described[given] ?? described[layers[0]?.name ?? ''];
  const settings = settingsOf(expected, { ...fixtureConfig, ...needs });
  const agent = await startAgent(settings, importLines(fixtures, layers), expected.env);
  const open: { close(): Promise<void> }[] = [agent];
  const close = async (): Promise<void> => {
    for (const one of open) await one.close();
  };
  try {
    const server = new URL(await agent.listen());
    const tokens = layers.some(({ name }) => name === 'acl') ? await createTokens(server) : noNames;
    for (const { definition } of layers) await register(server, definition, names, tokens);
    const found = new Map([...names, ...tokens, ...(await agentNames(agent, server, tokens))]);
    if (given !== 'client-only') return { origin: server, names: found, close };
    const client = await startClient(settings, agent.rpcAddress(), expected.env);
    open.unshift(client);
    return { origin: new URL(await client.listen()), names: found, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Layer {
  readonly name: string;
  readonly definition: Mapping;
}

/** What the fixtures that are only described in words extend. */
const describedBases: Readonly<Record<string, string>> = { acl: 'base', 'failed-member': 'base' };

/** A fixture and those it extends, the most general one first. */
function layersOf(fixtures: Mapping, name: string): readonly Layer[] {
  const definition = fixtures[name];
  if (definition === undefined && described[name] === undefined) {
    throw new CaseFileError(`there is no fixture ${name}`);
  }
  if (typeof definition !== 'object') {
    const base = describedBases[name];
    return [...(base === undefined ? [] : layersOf(fixtures, base)), { name, definition: {} }];
  }
  const known = ['extends', 'namespaces', 'register_in_order', 'nodes', 'deployments'];
  const { extends: base, ...rest } = mapping(definition, `fixtures.${name}`, known);
  return [...(base === undefined ? [] : layersOf(fixtures, String(base))), { name, definition: rest }];
}

function settingsOf(expected: Case, base: AgentConfig): AgentConfig {
  try {
    return applySettings(expected, base);
  } catch (error) {
    if (error instanceof ConfigError) throw new FixtureError(error.message);
    throw error;
  }
}

function fixtureNames(fixtures: Mapping): Names {
  const jobs = Object.entries(mapping(fixtures['jobs'] ?? {}, 'fixtures.jobs'));
  const values = Object.entries(mapping(fixtures['values'] ?? {}, 'fixtures.values'));
  return new Map<string, unknown>([
    ...jobs.map(([name, job]) => [`@job:${name}`, job] as const),
    ['@realclient-job', fixtures['realclient_job']],
    ...values.map(([name, value]) => [`fixture.${name}`, value] as const),
  ]);
}

function* importLines(fixtures: Mapping, layers: readonly Layer[]): Generator<string> {
  for (const { definition } of layers) {
    for (const [kind, list] of [
      ['node', 'nodes'],
      ['deployment', 'deployments'],
    ] as const) {
      const source = definition[list];
      if (source === undefined) continue;
      for (const object of sequence(fixtures[String(source)], `fixtures.${String(source)}`)) {
        yield writeJson({ kind, object });
      }
    }
  }
}

const fixtureConfig: AgentConfig = {
  ...defaultAgentConfig,
  port: 0,
  rpcPort: 0,
  serfPort: 0,
  fill: { kind: 'import', file: 'fixture' },
  enableDebug: true,
  server: { ...defaultAgentConfig.server, pauseEvalBroker: true },
  client: { ...defaultAgentConfig.client, enabled: true, register: false },
};

/** What the agents of a fixture need of the world, with variables in their environment. */
function surroundings(env: Mapping): Omit<AgentDependencies, 'storage' | 'readLines'> {
  const variables = Object.entries(env).map(([name, value]) => [name, String(value)]);
  return {
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    logs: createLogHub({ level: 'silent', write: () => undefined }),
    machine: createMachine({
      environment: { ...process.env, ...Object.fromEntries(variables) },
      runtimeVersion: process.version,
    }),
    commandLine: ['scheduler', 'agent'],
    report: () => ({}),
  };
}

function startAgent(config: Partial<AgentConfig>, lines: Iterable<string>, env: Mapping): Promise<Agent> {
  return createAgent(
    { ...fixtureConfig, ...config },
    {
      ...surroundings(env),
      storage: createMemoryStorage(),
      readLines: () => ({ lines: Readable.from(lines), done: () => null }),
    },
  );
}

/** An agent that is only a client, of a server that is there. */
function startClient(config: Partial<AgentConfig>, server: string, env: Mapping): Promise<ClientAgent> {
  const client = { ...fixtureConfig.client, servers: [server] };
  const only = { server: { ...fixtureConfig.server, enabled: false }, client };
  return createClientAgent({ ...fixtureConfig, ...config, ...only }, surroundings(env));
}

/** What the agent itself goes by, under the names that cases use. */
async function agentNames(agent: Agent, origin: URL, tokens: Names): Promise<Names> {
  const headers = tokenHeaders(tokens);
  const { status, text } = await exchange(origin, { method: 'GET', path: '/v1/agent/self', headers });
  // There is no token yet, and no case needs the names.
  if (status === 403) return noNames;
  const { member, stats } = mapping(readJson(text), 'self');
  const client = mapping(stats, 'stats')['client'];
  return new Map<string, unknown>([
    ['fixture.serf_addr', agent.gossipAddress()],
    ['fixture.rpc_addr', agent.rpcAddress()],
    ['fixture.server_id', mapping(member, 'member')['Name']],
    ['fixture.node_id', client === undefined ? '' : mapping(client, 'client')['node_id']],
  ]);
}

const noNames: Names = new Map();

/** Makes the first token, and with it one for each kind of right. Their secrets, by their names. */
async function createTokens(origin: URL): Promise<Names> {
  const mgmt = await write(origin, '/v1/acl/bootstrap', {}, noNames);
  const tokens = new Map([['mgmt', secretOf(mgmt)]]);
  for (const [name, Rules] of Object.entries(aclRules)) {
    const policy = policyOf(name);
    await write(origin, `/v1/acl/policy/${policy}`, { Name: policy, Rules }, tokens);
    const token = { Name: name, Type: 'client', Policies: [policy] };
    tokens.set(name, secretOf(await write(origin, '/v1/acl/token', token, tokens)));
  }
  return tokens;
}

function secretOf(text: string): string {
  return String(mapping(readJson(text), 'token')['SecretID']);
}

async function register(origin: URL, definition: Mapping, names: Names, tokens: Names): Promise<void> {
  for (const name of sequence(definition['namespaces'] ?? [], 'namespaces')) {
    await write(origin, `/v1/namespace/${encodeURIComponent(String(name))}`, { Name: name }, tokens);
  }
  for (const entry of sequence(definition['register_in_order'] ?? [], 'register_in_order')) {
    const { job, namespace } = mapping(entry, 'register_in_order', ['job', 'namespace']);
    const given = mapping(resolve(`@job:${String(job)}`, names), `job ${String(job)}`);
    const Job = namespace === undefined ? given : { ...given, Namespace: namespace };
    await write(origin, '/v1/jobs', { Job }, tokens);
  }
}

function tokenHeaders(tokens: Names): Mapping {
  const token = tokens.get('mgmt');
  return token === undefined ? {} : { 'X-Scheduler-Token': token };
}

/** Writes as management, where there is such a token. Returns the body. */
async function write(origin: URL, path: string, json: unknown, tokens: Names): Promise<string> {
  const headers = tokenHeaders(tokens);
  const { status, text } = await exchange(origin, { method: 'PUT', path, json, headers });
  if (status !== 200) throw new FixtureError(`PUT ${path} of the fixture: ${status} ${text}`);
  return text;
}
