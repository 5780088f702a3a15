import { describe, expect, it } from 'vitest';
import { defaultAgentConfig, type AgentConfig } from '../src/agent-config.js';
import { parseCommand } from '../src/arguments.js';
import { welcome } from '../src/welcome.js';

function configOf(...args: string[]): AgentConfig {
  const command = parseCommand(['agent', ...args]);
  if (command.kind !== 'agent') throw new Error(`${command.kind} is not the agent`);
  return command.config;
}

describe('the command line', () => {
  it.each<[args: string[], part: Partial<AgentConfig>]>([
    [[], defaultAgentConfig],
    [['--sample'], { fill: { kind: 'sample' } }],
    [['--no-sample'], { fill: { kind: 'nothing' } }],
    [['--sample', '--no-sample'], { fill: { kind: 'nothing' } }],
    [['--sample', '--import', 'c.ndjson'], { fill: { kind: 'import', file: 'c.ndjson' } }],
    [['--data-dir', 'd'], { dataDir: 'd', fill: { kind: 'nothing' } }],
    [['--data-dir', 'd', '--sample'], { dataDir: 'd', fill: { kind: 'sample' } }],
    [['--bind', '::1', '--port', '0'], { bind: '::1', port: 0 }],
    [['--port=65535'], { port: 65_535 }],
    [['--host-name', 'a', '--host-name', 'b'], { hostNames: ['a', 'b'] }],
    [['--log-level', 'debug', '--region', 'west'], { logLevel: 'debug', region: 'west' }],
    [['--unresolved', 'absent'], { unresolved: 'absent' }],
    [['--max-waiters', '5'], { maxWaiters: 5 }],
    [
      ['--response-header', 'X-A: b c', '--response-header', 'Y:1'],
      {
        responseHeaders: new Map([
          ['X-A', 'b c'],
          ['Y', '1'],
        ]),
      },
    ],
    [['--bootstrap-expect', '3'], { bootstrapExpect: 3 }],
    [
      ['--max-connections-per-client', '0'],
      { http: { ...defaultAgentConfig.http, maxConnectionsPerClient: 0 } },
    ],
  ])('agent %j', (args, part) => expect(configOf(...args)).toMatchObject(part));

  it.each<[args: string[], kind: string]>([
    [[], 'help'],
    [['help'], 'help'],
    [['--help'], 'help'],
    [['agent', '-h'], 'help'],
    [['--version'], 'version'],
    [['version'], 'version'],
  ])('%j', (args, kind) => expect(parseCommand(args).kind).toBe(kind));

  it.each<[args: string[], message: RegExp]>([
    [['serve'], /^There is no command "serve": try scheduler agent$/],
    [['agent', 'now'], /^Unexpected "now" behind agent$/],
    [['agent', '--prot', '1'], /Unknown option '--prot'/],
    [['agent', '--port'], /--port/],
    [['agent', '--port', 'x'], /^--port is a whole number from 0 to 65535, not "x"$/],
    [['agent', '--response-header', 'X'], /^--response-header is "Name: value", not "X"$/],
    [['agent', '--response-header', 'X: a\r\nY: b'], /^--response-header is "Name: value"/],
    [['agent', '--response-header', 'Content-Length: 5'], /^Content-Length is set by the server itself$/],
    [['agent', '--response-header', 'X Y: a'], /^--response-header is "Name: value"/],
    [['agent', '--bootstrap-expect', 'x'], /^--bootstrap-expect is a whole number from 0 to 1000, not "x"$/],
    [['agent', '--port', '65536'], /^--port is a whole number/],
    [
      ['agent', '--log-level', 'loud'],
      /^--log-level is one of trace, debug, info, warn, error, silent, not "loud"$/,
    ],
    [['agent', '--unresolved', 'maybe'], /^--unresolved is one of error, absent, not "maybe"$/],
  ])('refuses %j', (args, message) => {
    expect(() => parseCommand(args)).toThrow(message);
    expect(() => parseCommand(args)).toThrow(expect.objectContaining({ name: 'UsageError' }) as Error);
  });
});

it('the welcome names the address and three commands', () => {
  const text = welcome('http://127.0.0.1:4646', 7);
  expect(text.match(/curl -s/g)).toHaveLength(3);
  expect(text).toContain('&index=7');
});
