import { formatMistake, type ConfigError, type GivenSettings } from '@tamis/config';
import { describe, expect, it } from 'vitest';
import { readSettings, type SettingsSources } from '../../src/agent/settings/read-settings.js';
import { variableOf } from '../../src/agent/settings/variable.js';
import { settingsByPath } from '../../src/agent/settings/settings-table.js';

function read({ files = [], environment = {}, flags = new Map() }: Partial<SettingsSources>): GivenSettings {
  return readSettings({ files, environment, flags }).given;
}

function file(text: string, name = 'a.hcl'): Partial<SettingsSources> {
  return { files: [{ name, text }] };
}

describe('sources', () => {
  it('count more the nearer they are to the command line', () => {
    const files = [
      { name: 'a.hcl', text: 'region = "a"\nname = "a"\ndatacenter = "a"\nlog_level = "debug"' },
      { name: 'b.json', text: '{"name": "b", "datacenter": "b", "log_level": "warn"}' },
    ];
    const environment = { SCHEDULER_DATACENTER: 'e', SCHEDULER_LOG_LEVEL: 'error' };
    const given = read({ files, environment, flags: new Map([['log_level', ['silent']]]) });
    expect(given).toEqual({
      region: { value: 'a', at: { source: 'a.hcl', line: 1, column: 10 } },
      name: { value: 'b', at: { source: 'b.json', line: 1, column: 10 } },
      datacenter: { value: 'e', at: { source: 'SCHEDULER_DATACENTER', line: 0, column: 0 } },
      log_level: { value: 'silent', at: { source: '--log-level', line: 0, column: 0 } },
    });
  });

  it('replace a map as a whole', () => {
    const given = read({
      ...file('client { meta { a = 1 b = 2 } }'),
      environment: { SCHEDULER_CLIENT_META: 'c=3' },
    });
    expect(given['client.meta']?.value).toEqual(new Map([['c', '3']]));
  });

  it('report all their mistakes at once, each with its place', () => {
    const sources: SettingsSources = {
      files: [
        {
          name: 'a.hcl',
          text: 'regoin = "west"\nports {\n  http = "x"\n  rpc = 70000\n}\nserver { enabled = 5 }',
        },
        { name: 'b.hcl', text: 'name = ' },
        { name: 'c.json', text: '{"server": {"enabled_schedulers": ["service"]}}' },
      ],
      environment: { SCHEDULER_PORTS_SERF: 'y', SCHEDULER_REGIONS: '{"a": 1' },
      flags: new Map([['log_level', ['loud']]]),
    };
    expect.assertions(1);
    try {
      readSettings(sources);
    } catch (error) {
      expect((error as ConfigError).mistakes.map(formatMistake)).toEqual([
        'a.hcl:1:1: regoin: there is no such setting: did you mean region?',
        'a.hcl:3:10: ports.http: expected a whole number from 0 to 65535, found "x"',
        'a.hcl:4:9: ports.rpc: expected a whole number from 0 to 65535, found 70000',
        'a.hcl:6:20: server.enabled: expected true or false, found 5',
        'b.hcl:1:8: expected a value, found the end of the text',
        'c.json:1:35: server.enabled_schedulers: must contain "_core"',
        'SCHEDULER_PORTS_SERF: ports.serf: expected a whole number from 0 to 65535, found "y"',
        'SCHEDULER_REGIONS:1:8: expected , or }, found the end of the text',
        '--log-level: log_level: expected one of "trace", "debug", "info", "warn", "error", "silent", found "loud"',
      ]);
    }
  });
});

describe('files', () => {
  it.each<[text: string, path: keyof GivenSettings, value: unknown]>(
    [
      ['enable_debug = "true"', 'enable_debug', true],
      ['plugin "raw_exec" { config { enabled = true } }', 'plugin.raw_exec.config.enabled', true],
      ['{"plugin": [{"raw_exec": [{"config": [{"enabled": 1}]}]}]}', 'plugin.raw_exec.config.enabled', true],
      [
        'plugin "mock_driver" {}\nplugin "raw_exec" { config { enabled = true } }',
        'plugin.raw_exec.config.enabled',
        true,
      ],
      ['client { enabled = true }\nclient { servers = ["a:1"] }', 'client.servers', ['a:1']],
      ['{"client": [{"enabled": true}, {"node_class": "x"}]}', 'client.node_class', 'x'],
      ['limits { headers_timeout = "1m30s" }', 'limits.headers_timeout', 90_000],
      ['limits { headers_timeout = 5 }', 'limits.headers_timeout', 5_000],
      ['host_names = "a"', 'host_names', ['a']],
      ['log_level = "WARN"', 'log_level', 'warn'],
      ['http_api_response_headers { X-A = "b" }', 'http_api_response_headers', new Map([['X-A', 'b']])],
      ['regions { east = "https://a:1" }', 'regions', new Map([['east', ['https://a:1']]])],
      ['client { servers = ["10.0.0.1:4647", "[::1]"] }', 'client.servers', ['10.0.0.1:4647', '[::1]']],
      ['membership { serf { rpc_addr = "127.0.0.1:7373" } }', 'membership.serf.rpc_addr', '127.0.0.1:7373'],
    ].filter(([, , value]) => value !== undefined) as [string, keyof GivenSettings, unknown][],
  )('%s', (text, path, value) => expect(read(file(text))[path]?.value).toEqual(value));

  it.each<[text: string, message: string]>([
    ['region = "*"', 'region: expected 1 to 128 characters without blanks and *'],
    ['bind_addr = "127.0.0.1:4646"', 'bind_addr: expected an address or a host name without a port'],
    ['bind_addr = "::1"\nhost_names = ["a:1"]', 'a.hcl:2:15: host_names[0]: expected a host name'],
    ['client { servers = ["http://a"] }', 'client.servers[0]: expected a host and perhaps a port'],
    ['regions { east = ["a:1"] }', 'a.hcl:1:9: regions: an entry of region "east" is not an address'],
    ['regions { east = ["https://u:p@a"] }', 'regions: "a" of region "east" holds a user name'],
    ['plugin "docker" { config { enabled = true } }', 'plugin.docker: there is no such setting'],
    ['client { enabled = true }\nclient { enabled = false }', 'client.enabled: is already set on line 1'],
    ['server { enabled_schedulers = ["_core", "servcie"] }', 'did you mean "service"?'],
    ['limits { request_timeout = "800h" }', 'expected a duration such as "1m30s"'],
    ['limits { max_body_size = 0 }', 'expected a whole number from 1 to'],
    ['http_api_response_headers { "X" = "a\\nb" }', 'the value of X is not printable ASCII text'],
    ['http_api_response_headers { Connection = "close" }', 'Connection is set by the server itself'],
    ['membership { member "a.global" {} }', 'membership.member "a.global".address: is missing'],
    ['membership { member { address = "a" } }', 'is the label missing?'],
    ['data_dir = ""', 'data_dir: must not be empty'],
  ])('refuse %s', (text, message) => expect(() => read(file(text))).toThrow(message));
});

describe('variables', () => {
  it.each<[name: string, text: string, path: keyof GivenSettings, value: unknown]>([
    ['SCHEDULER_PORTS_HTTP', '0', 'ports.http', 0],
    ['SCHEDULER_ENABLE_DEBUG', 'false', 'enable_debug', false],
    ['SCHEDULER_HOST_NAMES', 'a, b,', 'host_names', ['a', 'b']],
    [
      'SCHEDULER_CLIENT_META',
      'rack=r1,size=2=3',
      'client.meta',
      new Map([
        ['rack', 'r1'],
        ['size', '2=3'],
      ]),
    ],
    [
      'SCHEDULER_CLIENT_META',
      '{"a": "x, y", "b": 2}',
      'client.meta',
      new Map([
        ['a', 'x, y'],
        ['b', '2'],
      ]),
    ],
    [
      'SCHEDULER_REGIONS',
      'east=https://a:1,east=https://b:1',
      'regions',
      new Map([['east', ['https://a:1', 'https://b:1']]]),
    ],
    ['SCHEDULER_PLUGIN_RAW_EXEC_CONFIG_ENABLED', '1', 'plugin.raw_exec.config.enabled', true],
    ['SCHEDULER_LIMITS_REQUEST_TIMEOUT', '2m', 'limits.request_timeout', 120_000],
  ])('%s=%s', (name, text, path, value) => {
    expect(read({ environment: { [name]: text } })[path]?.value).toEqual(value);
  });

  it('are ignored if they are empty, or belong to another program', () => {
    const environment = {
      SCHEDULER_REGION: '',
      SCHEDULER_PORT: 'tcp://10.0.0.1:4646',
      SCHEDULER_TOKEN: 'x',
      HOME: '/',
    };
    expect(readSettings({ files: [], environment, flags: new Map() })).toEqual({ given: {}, warnings: [] });
  });

  it('are warned of when they nearly are a setting', () => {
    const environment = { SCHEDULER_REGOIN: 'west' };
    const { warnings } = readSettings({ files: [], environment, flags: new Map() });
    expect(warnings.map(formatMistake)).toEqual([
      'SCHEDULER_REGOIN: is no setting: did you mean SCHEDULER_REGION?',
    ]);
  });
});

it('every setting has a name of its own in every source', () => {
  const settings = [...settingsByPath.values()];
  const flags = settings.map(({ flag }) => flag).filter((flag) => flag !== null);
  expect(new Set(flags).size).toBe(flags.length);
  expect(new Set(settings.map(({ path }) => variableOf(path))).size).toBe(settings.length);
  expect(flags).not.toContain('config');
  expect(flags).not.toContain('dev');
});
