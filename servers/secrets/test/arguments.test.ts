import { describe, expect, it } from 'vitest';
import { helpOf, parseCommand, UsageError } from '../src/program/arguments.js';

const parse = (line: string): unknown => parseCommand(line.split(' ').filter((word) => word !== ''));

describe('the command line', () => {
  it.each([
    ['', { kind: 'help', of: null }],
    ['--help', { kind: 'help', of: null }],
    ['server -h', { kind: 'help', of: 'server' }],
    ['operator migrate --help', { kind: 'help', of: 'migrate' }],
    ['nothing --help', { kind: 'help', of: null }],
    ['version', { kind: 'version' }],
    ['--version', { kind: 'version' }],
    ['server --config a --config b', { kind: 'server', configFiles: ['a', 'b'], dev: null }],
    ['server -config=a', { kind: 'server', configFiles: ['a'], dev: null }],
    ['server --dev', { kind: 'server', configFiles: [], dev: { rootTokenId: null, address: null } }],
    [
      'server -dev -dev-root-token-id=T --config a --dev-listen-address [::1]:9',
      { kind: 'server', configFiles: ['a'], dev: { rootTokenId: 'T', address: { host: '::1', port: 9 } } },
    ],
    ['init --address http://a', { kind: 'init', address: 'http://a' }],
    ['unseal --key-file k', { kind: 'unseal', address: null, keyFile: 'k' }],
    ['rekey', { kind: 'rekey', address: null, keyFile: null, step: 'begin' }],
    ['rekey --confirm --key-file k', { kind: 'rekey', address: null, keyFile: 'k', step: 'confirm' }],
    ['rekey --cancel', { kind: 'rekey', address: null, keyFile: null, step: 'cancel' }],
  ])('secrets %s', (line, command) => {
    expect(parse(line)).toEqual(command);
  });

  it.each([
    ['server', 'needs --config FILE'],
    ['server --dev-root-token-id T --config a', 'go with --dev'],
    ['serve', 'no command "serve"'],
    ['rekey --cancel --confirm', '--confirm or --cancel, not both'],
    ['server now', 'Unexpected "now"'],
    ['server --port 5', "Unknown option '--port'"],
    ['server --dev --dev-listen-address here', 'an address with a port'],
  ])('secrets %s: %s', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });

  it('is explained with every option', () => {
    for (const option of ['--dev', '--dev-root-token-id', '--config', '--address', '--key-file', 'SIGHUP']) {
      expect(helpOf(null)).toContain(option);
    }
  });

  it('is explained command by command', () => {
    expect(helpOf('unseal')).toContain('secrets unseal [--address URL] [--key-file FILE]');
    expect(helpOf('unseal')).not.toContain('secrets init');
    expect(helpOf('server')).toContain('--dev-listen-address');
  });
});
