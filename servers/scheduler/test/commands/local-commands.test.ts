import { describe, expect, it } from 'vitest';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { commandTable } from '../../src/program/local/command-table.js';
import { commandHelp } from '@tamis/scheduler-command/command-help.js';
import { findCommand, flagsOf, readGiven } from '@tamis/scheduler-command/find-command.js';
import { helpText, helpTopics } from '../../src/program/local/help.js';
import { localCommands } from '../../src/program/local/local-commands.js';
import { givenSettings } from '../../src/program/local/setting-flags.js';
import type { UsageError } from '@tamis/scheduler-command/usage-error.js';
import { buildConfig } from '../../src/agent/settings/build-config.js';
import { readSettings } from '../../src/agent/settings/read-settings.js';
import { banner, clientBanner } from '../../src/program/banner.js';
import { exitCodeOf } from '../../src/program/explain-error.js';
import { runLocal } from '../../src/program/run-local.js';

/** What the program makes of a command line about this machine: the command, its arguments and its flags. */
async function parseCommand(args: readonly string[]): Promise<object> {
  const requests = findCommand(commandTable, args);
  if (requests.kind === 'help') return { helpOn: requests.path };
  const { command } = requests;
  const given = await readGiven(command, requests.args);
  const named = Object.fromEntries((command.positionals ?? []).map(({ name }) => [name, given.all(name)]));
  const flags = Object.keys(await flagsOf(command)).flatMap((flag) => {
    const value = given.switched(flag) ?? given.texts(flag);
    return typeof value === 'boolean' || value.length > 0 ? [[flag, value] as const] : [];
  });
  return { path: command.path, ...named, flags: Object.fromEntries(flags) };
}

async function configOf(...args: string[]): Promise<AgentConfig> {
  const requests = findCommand(commandTable, ['agent', ...args]);
  if (requests.kind !== 'run') throw new Error('the agent is not asked to run');
  const parsed = await readGiven(requests.command, requests.args);
  const { given } = readSettings({ files: [], environment: {}, flags: givenSettings(parsed) });
  return buildConfig(given, { devMode: parsed.has('dev'), files: parsed.texts('config') });
}

describe('the flags of the agent', () => {
  it.each<[args: string[], part: Partial<AgentConfig>]>([
    [[], defaultAgentConfig],
    [['--sample'], { fill: { kind: 'sample', isStill: false } }],
    [['--still'], { fill: { kind: 'sample', isStill: true } }],
    [['--no-sample'], { fill: { kind: 'nothing' } }],
    [['--sample', '--no-sample'], { fill: { kind: 'nothing' } }],
    [['--sample', '--import', 'c.ndjson'], { fill: { kind: 'import', file: 'c.ndjson' } }],
    [['--bind', '::1', '--port', '0'], { bind: '::1', port: 0, rpcPort: 0, serfPort: 0 }],
    [['--port=65535'], { port: 65_535, rpcPort: 0, serfPort: 0 }],
    [['--port', '1', '--port', '2'], { port: 2, rpcPort: 0, serfPort: 0 }],
    [['--port', '4647'], { port: 4647, rpcPort: 0, serfPort: 0 }],
    [['--port', '5000', '--rpc-port', '5001'], { port: 5000, rpcPort: 5001, serfPort: 0 }],
    [['--port', '5000', '--data-dir', '/d'], { port: 5000, rpcPort: 4647, serfPort: 4648 }],
    [['--host-name', 'a', '--host-name', 'b'], { hostNames: ['a', 'b'] }],
    [['--log-level', 'debug', '--region', 'west'], { logLevel: 'debug', region: 'west' }],
    [['--unresolved', 'absent'], { unresolved: 'absent' }],
    [['--max-waiters', '5'], { maxWaiters: 5 }],
    [
      ['--response-header', 'X-A: b c', '--response-header', 'Y:1=2'],
      { responseHeaders: new Map(Object.entries({ 'X-A': 'b c', Y: '1=2' })) },
    ],
    [['--bootstrap-expect', '3'], { bootstrapExpect: 3 }],
    [
      ['--max-connections-per-client', '0'],
      { http: { ...defaultAgentConfig.http, maxConnectionsPerClient: 0 } },
    ],
    [['--data-dir', 'd'], { dataDir: 'd', fill: { kind: 'nothing' } }],
    [['--data-dir', 'd', '--sample'], { dataDir: 'd', fill: { kind: 'sample', isStill: false } }],
    [
      ['--region-url', 'b=https://b:1', '--region-url', 'b=https://c:1'],
      { regions: new Map([['b', ['https://b:1', 'https://c:1']]]) },
    ],
    [
      ['--dev'],
      {
        devMode: true,
        enableDebug: true,
        logLevel: 'debug',
        fill: { kind: 'nothing' },
        client: { ...defaultAgentConfig.client, enabled: true, mockDriver: true },
      },
    ],
    [['--dev', '--log-level', 'warn', '--no-enable-debug'], { logLevel: 'warn', enableDebug: false }],
  ])('agent %j', async (args, part) => expect(await configOf(...args)).toMatchObject(part));

  it.each<[args: string[], message: string]>([
    [['--port', 'x'], '--port: ports.http: expected a whole number from 0 to 65535, found "x"'],
    [['--port', '65536'], '--port: ports.http: expected a whole number from 0 to 65535, found "65536"'],
    [['--response-header', 'X'], 'the value of X is not printable ASCII text'],
    [['--response-header', 'X: a\r\nY: b'], 'the value of X is not printable ASCII text'],
    [['--response-header', 'Content-Length: 5'], 'Content-Length is set by the server itself'],
    [
      ['--response-header', 'X Y: a'],
      '--response-header: http_api_response_headers: "X Y" is no name of a header',
    ],
    [['--bootstrap-expect', 'x'], '--bootstrap-expect: server.bootstrap_expect: expected a whole number'],
    [['--log-level', 'inof'], 'found "inof": did you mean "info"?'],
    [['--unresolved', 'maybe'], 'expected one of "error", "absent", found "maybe"'],
    [['--host-name', 'a:1'], '--host-name: host_names[0]: expected a host name without a port'],
    [['--dev', '--data-dir', 'd'], '--data-dir: data_dir: --dev keeps nothing'],
  ])('refuses %j', (args, message) => expect(configOf(...args)).rejects.toThrow(message));
});

describe('the command line', () => {
  it.each<[args: string[], command: object]>([
    [[], { helpOn: '' }],
    [['--help'], { helpOn: '' }],
    [['agent', '-h'], { helpOn: 'agent' }],
    [['import', '--help'], { helpOn: 'import' }],
    [['operator'], { helpOn: 'operator' }],
    [['operator', 'snapshot', '--help'], { helpOn: 'operator snapshot' }],
    [['help'], { path: 'help', TOPIC: [] }],
    [['help', 'job', 'run'], { path: 'help', TOPIC: ['job', 'run'] }],
    [['version'], { path: 'version', flags: {} }],
    [['version', '--json'], { path: 'version', flags: { json: true } }],
    [['agent', '--config', 'a', '--config', 'b'], { path: 'agent', flags: { config: ['a', 'b'] } }],
    [['agent', '--no-sample'], { path: 'agent', flags: { sample: false } }],
    [['check', 'a', 'b', '--json'], { path: 'check', FILE: ['a', 'b'], flags: { json: true } }],
    [['import', 'f', '--data-dir', 'd'], { path: 'import', FILE: ['f'], flags: { 'data-dir': ['d'] } }],
    [['import', '-'], { path: 'import', FILE: ['-'] }],
    [['export', '-o', 'f'], { path: 'export', flags: { output: ['f'] } }],
    [
      ['operator', 'servers', '--json', '--config', 'a', '--etcd-endpoint', 'https://e'],
      { path: 'operator servers', flags: { json: true, config: ['a'], 'etcd-endpoint': ['https://e'] } },
    ],
    [['operator', 'snapshot', 'save', 'f'], { path: 'operator snapshot save', FILE: ['f'] }],
    [['operator', 'snapshot', 'restore', 'f'], { path: 'operator snapshot restore', FILE: ['f'] }],
    [['operator', '--help'], { helpOn: 'operator' }],
  ])('%j', async (args, command) => expect(await parseCommand(args)).toMatchObject(command));

  it.each<[args: string[], message: RegExp]>([
    [['operator', 'keep'], /^There is no command "operator keep": try one of servers, snapshot$/],
    [
      ['operator', 'snapshot', 'keep', 'f'],
      /^There is no command "operator snapshot keep": .* save, restore$/,
    ],
    [
      ['operator', 'snapshot', 'save'],
      /^FILE is missing, where to write it: scheduler operator snapshot save/,
    ],
    [['operator', 'snapshot', 'save', 'f', 'g'], /^Unexpected "g" behind operator snapshot save f$/],
    [['operator', 'snapshot', 'save', 'f', '--json'], /^Unknown option '--json'/],
    [['operator', 'servers', 'all'], /^Unexpected "all" behind operator servers$/],
    [['operator', 'servers', '--port', '1'], /'--port'/],
    [
      ['launch'],
      /^There is no command "launch": try one of status, job, .*agent, check, import, export, operator, completion, version, help$/,
    ],
    [['exprot'], /^There is no command "exprot": did you mean export\?$/],
    [['--port', '1'], /^A command comes first, one of status, job, .*: found "--port"$/],
    [['agent', 'now'], /^Unexpected "now" behind agent$/],
    [['agent', '--prot', '1'], /^Unknown option '--prot': did you mean --port\?$/],
    [['agent', '--port'], /--port/],
    [['check'], /^FILE is missing, a file to look through: scheduler check FILE\.\.\.$/],
    [['import', '--data-dir', 'd'], /^FILE is missing, /],
    [['import', 'f', 'g', '--data-dir', 'd'], /^Unexpected "g" behind import f$/],
  ])('refuses %j', async (args, message) => {
    const refused = expect(async () => parseCommand(args)).rejects;
    await refused.toThrow(message);
    await refused.toThrow(expect.objectContaining({ name: 'UsageError' }) as Error);
  });

  it.each<[args: string[], message: RegExp]>([
    [['import', 'f'], /^import into which store\?/],
    [['export'], /^export from where\?/],
    [['export', '--data-dir', 'd', '--address', 'http://a'], /^export from where\?/],
    [['export', '--address', 'a:1'], /^--address is a URL such as/],
    [['completion', 'dash'], /^completion for which shell\? One of bash, /],
  ])('%j does not run', async ([name = '', ...args], message) => {
    const command = localCommands.find(({ path }) => path === name)!;
    const refused = expect(runLocal(command, args)).rejects;
    await refused.toThrow(message);
    await refused.toThrow(expect.objectContaining({ command: name }) as Error);
  });
});

it.each([
  [['launch'], 64],
  [['job', 'frob'], 64],
  [['agent', '--prot', '1'], 2],
  [['operator', 'snapshot', 'save'], 2],
])('%j ends with %i, as the help says', async (args, code) => {
  const refusal: unknown = await (async () => parseCommand(args))().catch((error: unknown) => error);
  expect(exitCodeOf(refusal)).toBe(code);
});

it('an error message after a command names the command', async () => {
  const commandOf = async (...args: string[]): Promise<unknown> =>
    (async () => parseCommand(args))().catch((error: unknown) => (error as UsageError).command);
  expect(await commandOf('agent', '--prot', '1')).toBe('agent');
  expect(await commandOf('check')).toBe('check');
  expect(await commandOf('launch')).toBeNull();
});

it('the help has a text for every topic and every command', async () => {
  const topics = helpTopics.map(async (topic) => (await helpText(topic)) ?? '');
  const texts = await Promise.all([...topics, ...commandTable.map(commandHelp)]);
  expect(new Set(texts).size).toBe(helpTopics.length + commandTable.length);
  for (const text of texts) {
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  }
});

describe('the banner', () => {
  it('names the address and three commands', () => {
    const text = banner('http://127.0.0.1:4646', 7, null);
    expect(text.match(/curl -s/g)).toHaveLength(3);
    expect(text).toContain('&index=7');
  });

  it('says whom to trust', () => {
    const tls = { certFile: 'c.pem', keyFile: 'k.pem', caFile: 'ca.pem', http: true, rpc: false };
    expect(banner('https://127.0.0.1:4646', 7, tls).match(/--cacert ca.pem /g)).toHaveLength(3);
    expect(banner('https://127.0.0.1:4646', 7, { ...tls, caFile: null })).toContain('--cacert c.pem ');
    expect(clientBanner('https://127.0.0.1:4646', tls).match(/curl -s --cacert ca.pem /g)).toHaveLength(2);
    expect(clientBanner('http://127.0.0.1:4646', null)).not.toContain('--cacert');
  });
});
