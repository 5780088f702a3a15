import { describe, expect, it } from 'vitest';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent-config.js';
import { commandTable } from '../../src/commands/command-table.js';
import { findCommand } from '../../src/commands/find-command.js';
import { helpText, helpTopics } from '../../src/commands/help.js';
import { readLocalArguments, type LocalArguments } from '../../src/commands/local-arguments.js';
import type { UsageError } from '../../src/commands/usage-error.js';
import { buildConfig } from '../../src/settings/build-config.js';
import { readSettings } from '../../src/settings/read-settings.js';
import { banner, clientBanner } from '../../src/banner.js';

/** What the program makes of a command line about this machine. */
function parseCommand(
  args: readonly string[],
): LocalArguments | { readonly kind: 'helpOn'; readonly path: string } {
  const asked = findCommand(commandTable, args);
  if (asked.kind === 'help') return { kind: 'helpOn', path: asked.path };
  return readLocalArguments(asked.command.path, asked.args);
}

function configOf(...args: string[]): AgentConfig {
  const command = parseCommand(['agent', ...args]);
  if (command.kind !== 'agent') throw new Error(`${command.kind} is not the agent`);
  const { given } = readSettings({ files: [], environment: {}, flags: command.flags });
  return buildConfig(given, command);
}

describe('the flags of the agent', () => {
  it.each<[args: string[], part: Partial<AgentConfig>]>([
    [[], defaultAgentConfig],
    [['--sample'], { fill: { kind: 'sample' } }],
    [['--no-sample'], { fill: { kind: 'nothing' } }],
    [['--sample', '--no-sample'], { fill: { kind: 'nothing' } }],
    [['--sample', '--import', 'c.ndjson'], { fill: { kind: 'import', file: 'c.ndjson' } }],
    [['--bind', '::1', '--port', '0'], { bind: '::1', port: 0 }],
    [['--port=65535'], { port: 65_535 }],
    [['--port', '1', '--port', '2'], { port: 2 }],
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
    [['--data-dir', 'd', '--sample'], { dataDir: 'd', fill: { kind: 'sample' } }],
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
  ])('agent %j', (args, part) => expect(configOf(...args)).toMatchObject(part));

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
  ])('refuses %j', (args, message) => expect(() => configOf(...args)).toThrow(message));
});

describe('the command line', () => {
  it.each<[args: string[], command: object]>([
    [[], { kind: 'helpOn', path: '' }],
    [['help'], { kind: 'help', topic: null }],
    [['--help'], { kind: 'helpOn', path: '' }],
    [['agent', '-h'], { kind: 'helpOn', path: 'agent' }],
    [['import', '--help'], { kind: 'helpOn', path: 'import' }],
    [['help', 'filters'], { kind: 'help', topic: 'filters' }],
    [['version'], { kind: 'version', json: false }],
    [['version', '--json'], { kind: 'version', json: true }],
    [['agent', '--config', 'a', '--config', 'b'], { kind: 'agent', files: ['a', 'b'], devMode: false }],
    [['check', 'a', 'b', '--json'], { kind: 'check', files: ['a', 'b'], json: true }],
    [['import', 'f', '--data-dir', 'd'], { kind: 'import', file: 'f', dataDir: 'd', json: false }],
    [['import', '-', '--data-dir', 'd'], { kind: 'import', file: '-' }],
    [['export', '--data-dir', 'd'], { kind: 'export', from: { kind: 'store', dataDir: 'd' }, output: null }],
    [
      ['export', '--address', 'http://a:1', '-o', 'f'],
      { kind: 'export', from: { kind: 'agent', address: 'http://a:1' }, output: 'f' },
    ],
    [
      ['operator', 'servers', '--json', '--config', 'a', '--etcd-endpoint', 'https://e'],
      {
        kind: 'operator',
        action: { kind: 'servers', json: true },
        files: ['a'],
        flags: new Map([['storage.etcd.endpoints', ['https://e']]]),
      },
    ],
    [['operator', 'snapshot', 'save', 'f'], { kind: 'operator', action: { kind: 'save', file: 'f' } }],
    [['operator', 'snapshot', 'restore', 'f'], { action: { kind: 'restore', file: 'f' } }],
    [['operator', '--help'], { kind: 'helpOn', path: 'operator' }],
  ])('%j', (args, command) => expect(parseCommand(args)).toMatchObject(command));

  it.each<[args: string[], message: RegExp]>([
    [['operator'], /^operator what\? One of servers, snapshot save FILE/],
    [['operator', 'snapshot', 'keep', 'f'], /^operator what\?/],
    [['operator', 'snapshot', 'save'], /^which file\? scheduler operator snapshot save FILE$/],
    [['operator', 'snapshot', 'save', 'f', 'g'], /^Unexpected "g" behind operator snapshot save f$/],
    [['operator', 'snapshot', 'save', 'f', '--json'], /^--json is for operator servers/],
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
    [['help', 'me'], /^There is no help on "me": try one of agent, /],
    [['check'], /^check which file\?/],
    [['import', '--data-dir', 'd'], /^import which file\?/],
    [['import', 'f'], /^import into which store\?/],
    [['import', 'f', 'g', '--data-dir', 'd'], /^Unexpected "g" behind import f$/],
    [['export'], /^export from where\?/],
    [['export', '--data-dir', 'd', '--address', 'http://a'], /^export from where\?/],
    [['export', '--address', 'a:1'], /^--address is a URL such as/],
  ])('refuses %j', (args, message) => {
    expect(() => parseCommand(args)).toThrow(message);
    expect(() => parseCommand(args)).toThrow(expect.objectContaining({ name: 'UsageError' }) as Error);
  });
});

it('a mistake behind a command names the command', () => {
  const commandOf = (...args: string[]): unknown => {
    try {
      return parseCommand(args);
    } catch (error) {
      return (error as UsageError).command;
    }
  };
  expect(commandOf('agent', '--prot', '1')).toBe('agent');
  expect(commandOf('export')).toBe('export');
  expect(commandOf('launch')).toBeNull();
});

it('the help has a text for every topic', () => {
  const texts = helpTopics.map((topic) => helpText(topic) ?? '');
  expect(new Set(texts).size).toBe(helpTopics.length);
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
